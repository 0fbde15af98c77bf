import { describe, expect, it, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { defineAlgorithm } from '../algorithms/define-algorithm.ts';
import { parseAlgorithmTable } from '../algorithms/notation.ts';
import { inShort } from '../base/in-short.testing.ts';
import {
  addRationals,
  multiplyRationals,
  type Rational,
  rational,
  toFixed,
  toNumber,
} from '../base/rational.ts';
import { compile } from '../plan/compile.ts';
import type { Step } from '../plan/plan.ts';
import published from '../study/published/strassen-2011.json' with { type: 'json' };
import { kernelCall } from './basic-kernels.ts';
import { c1060, cost, exactCost, type MachineModel, quantities, reduction } from './cost.ts';

const steps = (name: string, levels: number, size: number): readonly Step[] =>
  compile({
    algorithm: findAlgorithm(name),
    shape: { m: size, k: size, n: size },
    depth: { levels },
  }).steps;

/** Returns the value of "7n^3/4 + 11n^2/4", "T + 3m^2/16", … at a size. */
function printedValue(text: string, size: number): Rational {
  const names: Record<string, string> = { T: '17m^3/4096 + m^2/16', V: '9m^3/32 + 4m^2' };
  return text.split(/ (?=[+-] )/).reduce((sum, part) => {
    if (part in names) return addRationals(sum, printedValue(names[part], size));
    const match = /^(?:([+-]) )?(\d*)[mn]\^([23])(?:\/(\d+))?$/.exec(part);
    if (match === null) throw new Error(`No formula: ${part}`);
    const [, sign, factor, power, den = '1'] = match;
    const value = rational(Number(`${sign ?? ''}${factor || 1}`), Number(den));
    return addRationals(sum, multiplyRationals(value, rational(BigInt(size) ** BigInt(power))));
  }, rational(0));
}

const formulaFigures = [
  ['Figure 14', 1, published.fig14_oneLevel],
  ['Figure 17', 2, published.fig17_twoLevel],
  ['Figure 18', 3, published.fig18_threeLevel],
  ['Figure 19', 4, published.fig19_fourLevel],
] as const;

const formulaCells = formulaFigures.flatMap(([figure, levels, rows]) =>
  Object.entries(rows).flatMap(([algorithm, row]) =>
    quantities.map((quantity) => ({ figure, levels, algorithm, quantity, printed: row[quantity] })),
  ),
);

test('every cell of the four figures of formulas is here', () =>
  expect(formulaCells).toHaveLength(9 + 3 * 6));

test.each(inShort(formulaCells, 8))(
  '$figure, $algorithm, $levels levels: $quantity is $printed',
  ({ algorithm, levels, quantity, printed }) => {
    for (const size of [128, 1024, 4096, 16384]) {
      const plan = steps(algorithm, algorithm === 'classical' ? 0 : levels, size);
      expect(exactCost(plan)[quantity], `n = ${size}`).toEqual(printedValue(printed, size));
    }
  },
);

const { columns, ...percentFigures } = published.percentReductionVsClassical;

const percentCells = Object.entries(percentFigures).flatMap(([figure, rows], index) =>
  Object.entries(rows).flatMap(([size, row]) =>
    Object.entries(row).map(([algorithm, printed]) => ({
      figure: figure.replace(/.*_fig/, 'Figure '),
      levels: index + 1,
      size: Number(size),
      algorithm,
      printed,
    })),
  ),
);

test('every row of the four figures of percentages is here', () => {
  expect(percentCells).toHaveLength(4 * 3 * 2);
  expect(columns).toEqual(quantities);
});

test.each(inShort(percentCells, 3))(
  '$figure, $algorithm at $size: $printed percent less than GPU8',
  ({ algorithm, levels, size, printed }) => {
    const baseline = exactCost(steps('classical', 0, size));
    const saved = reduction(exactCost(steps(algorithm, levels, size)), baseline);
    expect(quantities.map((quantity) => toFixed(saved[quantity], 1))).toEqual(
      printed.map((percent) => percent.toFixed(1)),
    );
  },
);

describe.each([64, 256, 2048])('Figure 11, blocks of %d×%d', (m) => {
  const found = new Map(
    [...steps('strassen', 1, 2 * m), ...steps('winograd', 1, 2 * m)].map((step) => [
      kernelCall(step).kernel,
      step,
    ]),
  );

  it.each(published.fig11_basicKernels.rows)('$kernel: $transactions and $volume', (row) => {
    const step = found.get(row.kernel);
    expect(step, 'in a plan').toBeDefined();
    const { transactions, volume } = exactCost([step as Step]);
    expect(transactions).toEqual(printedValue(row.transactions, m));
    expect(volume).toEqual(printedValue(row.volume, m));
  });

  it('has all ten kernels', () => {
    expect(new Set(found.keys())).toEqual(
      new Set(published.fig11_basicKernels.rows.map((row) => row.kernel)),
    );
  });
});

test.each([
  ['strassen', { arithmetics: 9 / 2, transactions: 51 / 128, volume: 51 }],
  ['winograd', { arithmetics: 15 / 4, transactions: 41 / 128, volume: 41 }],
])('a level of %s above the innermost adds its printed recurrence', (name, square) => {
  const size = 2048;
  for (const quantity of quantities) {
    const inner = cost(steps(name, 1, size / 2))[quantity];
    expect(cost(steps(name, 2, size))[quantity]).toBe(7 * inner + square[quantity] * size * size);
  }
});

describe('the count follows the steps', () => {
  const [step] = steps('classical', 0, 64);

  it('an added pass costs a pass', () => {
    const slot = { ...step.slots[0], load: true };
    const before = cost([step]);
    const after = cost([{ ...step, slots: [slot] }]);
    expect(after.transactions - before.transactions).toBe(64 ** 2 / 16);
    expect(after.volume - before.volume).toBe(4 * 64 ** 2);
    expect(after.arithmetics).toBe(before.arithmetics);
  });

  it('a change of sign costs no arithmetic', () => {
    const updates = [{ target: 0, terms: [{ factor: -1 as const, slot: -1 }] }];
    expect(cost([{ ...step, updates }])).toEqual(cost([step]));
  });

  it('peeling counts its thin products with their own inner dimension', () => {
    const odd = { m: 129, k: 129, n: 129 };
    const plan = compile({
      algorithm: findAlgorithm('classical'),
      shape: odd,
      depth: { levels: 1 },
      fringe: 'peel',
    });
    expect(cost(plan.steps).arithmetics).toBe(2 * 129 ** 3 - 129 ** 2);
  });

  it('another machine is other numbers', () => {
    const whole = { per: 1, bytes: 8 };
    const machine: MachineModel = {
      ...c1060,
      productReads: { A: whole, B: whole },
      epiloguePass: whole,
      combinePass: whole,
    };
    const reads = 2 * 64 ** 3;
    expect(toNumber(exactCost([step], machine).transactions)).toBe(reads + 64 ** 2);
    expect(cost([step], machine).volume).toBe(8 * (reads + 64 ** 2));
  });
});

describe('counted by hand, for blocks of 16×32 by 32×64', () => {
  const [a, b, c] = [16 * 32, 32 * 64, 16 * 64];
  const product = c * (2 * 32 - 1);
  const terms = 16 * 32 * 64;

  it('a fused table, whose 20 products have 42 terms of A, 52 of B, and 36 in the 8 blocks of C', () => {
    const shape = { m: 2 * 16, k: 3 * 32, n: 4 * 64 };
    const algorithm = findAlgorithm('hopcroft-kerr-234');
    const plan = compile({ algorithm, shape, depth: { levels: 1 }, style: 'fused' });
    // A block of C is written by each of its products, and read by all except the first.
    const [reads, passes] = [{ A: (42 * terms) / 4096, B: (52 * terms) / 256 }, ((36 + 28) * c) / 16];
    expect(cost(plan.steps)).toEqual({
      arithmetics: 20 * product + (42 - 20) * a + (52 - 20) * b + (36 - 8) * c,
      transactions: reads.A + reads.B + passes,
      volume: 128 * reads.A + 64 * reads.B + 64 * passes,
    });
  });

  it.each(['scheduled', 'wide', 'hybrid', 'fused'] as const)('factors other than ±1, %s', (style) => {
    const name = 'halves';
    const products = ['(A11 + 2*A12) * (-1/2*B11)', 'A12 * (-B21 + 2*B11)'];
    const table = parseAlgorithmTable(name, { m: 1, k: 2, n: 1 }, products, ['-2*M1 - M2']);
    const algorithm = defineAlgorithm({ name, title: name, what: name, source: name, ...table });
    const shape = { m: 16, k: 2 * 32, n: 64 };
    const { steps } = compile({ algorithm, shape, depth: { levels: 1 }, style });
    // 2·x and a sum; −½·x, 2·x and a sum; −2·x and a difference. A sign alone is free.
    expect(cost(steps).arithmetics).toBe(2 * product + 2 * a + 3 * b + 2 * c);
  });
});
