import { expect, it, vi } from 'vitest';
import { matrix } from '../matrix/dense.ts';
import { exactProduct } from './exact.ts';
import type { Tiers } from './tiers.ts';

/** The value that the mocked tiers decide for every entry. */
const decided = vi.hoisted(() => ({ value: Number.NaN, low: 0 }));

vi.mock('./tiers.ts', () => ({
  tiersOf: () => {
    const decide: Tiers['decide'] = ({ j0, j1 }, _sums, _from, { value, low }, to, tally) => {
      tally.byExpansion += j1 - j0;
      value.fill(decided.value, to, to + j1 - j0);
      low.fill(decided.low, to, to + j1 - j0);
    };
    const decideAlone: Tiers['decideAlone'] = (_i, _j, tally) => {
      tally.byExpansion++;
      return decided;
    };
    return { decide, decideAlone };
  },
}));

const engines = ['simd', 'typescript'] as const;

it('a tier that gives NaN for finite operands is found out, whichever engine summed them', () => {
  decided.value = Number.NaN;
  for (const engine of engines) {
    expect(() => exactProduct(wide(2, 3), wide(3, 4), engine)).toThrow(
      'the exact product of 2×3 by 3×4 is wrong: entry (0, 0) is NaN although its operands are finite',
    );
  }
});

it.each(engines)(
  'small products that are wrong are found out before they have 16384 entries, of %s',
  (engine) => {
    decided.value = 1.5;
    const products = () => {
      for (let entries = 0; entries <= 2 ** 14; entries += 40 * 40)
        exactProduct(wide(40, 3), wide(3, 40), engine);
    };
    expect(products).toThrow('is 1.5 with the remainder 0, but computed alone');
  },
);

/** Returns numbers whose exponents are too far apart for sums without error. */
function wide(rows: number, cols: number) {
  return matrix(
    rows,
    cols,
    Float64Array.from({ length: rows * cols }, (_, at) => Math.sin(at + 1) * 2 ** (70 * (at % 5))),
  );
}
