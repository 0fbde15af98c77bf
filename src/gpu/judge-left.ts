import type { Matrix } from '../matrix/dense.ts';
import { unpack } from '../plan/pack.ts';
import type { Plan } from '../plan/plan.ts';
import type { Execution } from './execution.ts';
import { fillBuffer } from './fill-buffer.ts';
import { GUARD, GUARDS, POISON } from './guards.ts';
import type { Numeric } from './numerics/numeric.ts';
import { decoded, numbersIn } from './stored-numbers.ts';

/** What was read back of one product. */
export interface Left {
  /** C with its guards. */
  readonly c: Uint32Array<ArrayBuffer>;
  /** The guards of the workspace. */
  readonly guards: readonly Uint32Array[];
  /** A and B; undefined where they were too large to be read back. */
  readonly operands: { readonly a: Uint32Array; readonly b: Uint32Array } | undefined;
}

/** What a product left, given what was read back of it. */
export function judgeLeft(
  plan: Plan,
  numeric: Numeric,
  { c, guards, operands }: Left,
  a: Matrix,
  b: Matrix,
): Omit<Execution, 'seconds'> {
  const { m, n } = plan.shape;
  const sizeC = plan.sizes.C;
  const wide = numeric.words;
  const numbers = numbersIn(c, numeric);
  const stored = { rows: m, cols: n, data: numbers.slice(0, m * n) };
  unpack(numbers.subarray(GUARDS, GUARDS + sizeC), plan.layouts.C, stored);
  const written = new Uint32Array(stored.data.buffer);
  const allGuards = [c.subarray(0, wide * GUARDS), c.subarray(wide * (GUARDS + sizeC)), ...guards];
  const changed = (name: 'A' | 'B', after: Uint32Array) => {
    const before = new Uint32Array(wide * plan.sizes[name]);
    fillBuffer(name, plan, numeric, { a, b }, before);
    return countEntries(wide, before, (at) => before[at] !== after[at]);
  };
  return {
    c: decoded(stored, numeric),
    // The lower word of a binary64 number may be anything.
    unwritten: countEntries(wide, written, (at) => at % wide === wide - 1 && written[at] === POISON),
    guardsTouched: allGuards.reduce(
      (sum, range) => sum + countEntries(wide, range, (at) => range[at] !== GUARD),
      0,
    ),
    operandsChanged: operands && changed('A', operands.a) + changed('B', operands.b),
  };
}

/** The entries of a result of which some word passes the test. */
function countEntries(words: 1 | 2, all: Uint32Array, test: (at: number) => boolean): number {
  let found = 0;
  for (let at = 0; at < all.length; at += words) {
    if (test(at) || (words === 2 && test(at + 1))) found++;
  }
  return found;
}
