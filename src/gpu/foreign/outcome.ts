import type { Matrix } from '../../matrix/dense.ts';
import type { Execution } from '../execution.ts';
import { GUARDS } from '../guards.ts';
import { fillOperand, type GuardedBuffers, inside, readsOperands } from './guarded.ts';

/** What is to be seen in the words copied back: C, entries without a value, guards and operands overwritten. */
export function outcomeOf(
  { entries, a: bufferA, c: bufferC }: GuardedBuffers,
  words: Uint32Array,
  a: Matrix,
  b: Matrix,
): Omit<Execution, 'seconds'> {
  const endC = bufferC.size / 4;
  const result = words.subarray(0, endC);
  const count = a.rows * b.cols;
  const bits = entries.bits(inside(result)).subarray(0, count);
  const c = { rows: a.rows, cols: b.cols, data: entries.load(inside(result), count) };
  const unwritten = countWhere(bits, (value) => value === entries.poison);
  let guardsTouched = touched(entries.guard, result);
  if (!readsOperands(a, b)) return { c, unwritten, guardsTouched, operandsChanged: undefined };
  const endA = endC + bufferA.size / 4;
  let operandsChanged = 0;
  for (const [{ data }, after] of [
    [a, words.subarray(endC, endA)],
    [b, words.subarray(endA)],
  ] as const) {
    const before = new Uint32Array(after.length);
    fillOperand(entries, data, before);
    guardsTouched += touched(entries.trap, after);
    const found = entries.bits(inside(after));
    operandsChanged += countWhere(entries.bits(inside(before)), (value, e) => value !== found[e]);
  }
  return { c, unwritten, guardsTouched, operandsChanged };
}

/** The words on either side that hold something else. */
function touched(guard: number, words: Uint32Array): number {
  const other = (value: number) => value !== guard;
  return (
    countWhere(words.subarray(0, GUARDS), other) + countWhere(words.subarray(words.length - GUARDS), other)
  );
}

function countWhere(bits: Uint32Array | Uint16Array, test: (value: number, at: number) => boolean): number {
  let found = 0;
  for (let at = 0; at < bits.length; at++) if (test(bits[at], at)) found++;
  return found;
}
