import type { Matrix } from '../matrix/dense.ts';
import { pack } from '../plan/pack.ts';
import type { BufferName, Plan } from '../plan/plan.ts';
import { GUARD, GUARDS, POISON } from './guards.ts';
import type { Numeric } from './numerics/numeric.ts';
import { encoded, numbersIn } from './stored-numbers.ts';

/** Writes what a buffer holds before a product: an operand, or poison between guards. */
export function fillBuffer(
  name: BufferName,
  plan: Plan,
  numeric: Numeric,
  operands: { readonly a: Matrix; readonly b: Matrix; readonly before?: Matrix | undefined },
  words: Uint32Array,
): void {
  if (name === 'A') pack(encoded(operands.a, numeric), plan.layouts.A, numbersIn(words, numeric));
  else if (name === 'B') pack(encoded(operands.b, numeric), plan.layouts.B, numbersIn(words, numeric));
  else {
    words.fill(GUARD);
    const inside = words.subarray(numeric.words * GUARDS, numeric.words * (GUARDS + plan.sizes[name]));
    inside.fill(POISON);
    if (name === 'C' && operands.before !== undefined) {
      pack(encoded(operands.before, numeric), plan.layouts.C, numbersIn(inside, numeric));
    }
  }
}
