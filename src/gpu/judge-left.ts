import type { Matrix } from '../matrix/dense.ts';
import { unpack } from '../plan/pack.ts';
import type { Plan } from '../plan/plan.ts';
import type { Execution } from './execution.ts';
import { fillBuffer } from './fill-buffer.ts';
import { GUARD, GUARDS, POISON } from './guards.ts';
import type { Numeric } from './numerics/numeric.ts';
import { decoded, numbersIn, wordsAsStored } from './stored-numbers.ts';

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
  const stored = { rows: m, cols: n, data: wide === 2 ? new Float64Array(m * n) : new Float32Array(m * n) };
  unpack(numbers.subarray(GUARDS, GUARDS + sizeC), plan.layouts.C, stored);
  const written = new Uint32Array(stored.data.buffer);
  const allGuards = [c.subarray(0, wide * GUARDS), c.subarray(wide * (GUARDS + sizeC)), ...guards];
  const changed = (name: 'A' | 'B', after: Uint32Array) => {
    const operand = name === 'A' ? a : b;
    const plain = wordsAsStored(operand, plan.layouts[name], numeric);
    if (plain !== undefined) return countChanged(wide, plain, after);
    const before = new Uint32Array(wide * plan.sizes[name]);
    fillBuffer(name, plan, numeric, { a, b }, before);
    return countChanged(wide, before, after);
  };
  return {
    c: decoded(stored, numeric),
    unwritten: countUnwritten(wide, written),
    guardsTouched: allGuards.reduce((sum, range) => sum + countTouched(wide, range), 0),
    operandsChanged: operands && changed('A', operands.a) + changed('B', operands.b),
  };
}

// One loop each, without a function called for every word: they go through all that a product leaves.

/** The entries that still hold the poison; the lower word of a binary64 number may be anything. */
function countUnwritten(words: 1 | 2, all: Uint32Array): number {
  let found = 0;
  for (let at = words - 1; at < all.length; at += words) if (all[at] === POISON) found++;
  return found;
}

/** The entries of which some word is no guard. */
function countTouched(words: 1 | 2, all: Uint32Array): number {
  let found = 0;
  for (let at = 0; at < all.length; at += words) {
    if (all[at] !== GUARD || all[at + words - 1] !== GUARD) found++;
  }
  return found;
}

/** The entries of which some word is not what it was. */
function countChanged(words: 1 | 2, before: Uint32Array, after: Uint32Array): number {
  let found = 0;
  for (let at = 0; at < before.length; at += words) {
    if (before[at] !== after[at] || before[at + words - 1] !== after[at + words - 1]) found++;
  }
  return found;
}
