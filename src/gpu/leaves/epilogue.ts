import { PRODUCT, type Slot, type Step, type Term, type Update } from '../../plan/plan.ts';
import type { Numeric, Width } from '../numerics/numeric.ts';

/** Declares the slots' buffers as `s0`, `s1`, … from a binding number on. */
export function declareSlots(
  slots: readonly Slot[],
  numeric: Numeric,
  width: Width,
  firstBinding: number,
): string {
  return slots.map((_, i) => declareBuffer(firstBinding + i, `s${i}`, numeric, width)).join('\n');
}

/** A storage buffer at a binding; everything is bound read-write, since blocks share buffers. */
export function declareBuffer(binding: number, name: string, numeric: Numeric, width: Width): string {
  return `@group(0) @binding(${binding}) var<storage, read_write> ${name}: array<${numeric.memory(width)}>;`;
}

/**
 * `fn finish(e: u32, P: value)`: the updates of a step at index e of its slots, one rounding an update, each
 * slot read at most once and written at most once.
 */
export function finishFunction({ slots, updates }: Step, numeric: Numeric, width: Width): string {
  const type = numeric.value(width);
  const loads = slots.map((slot, i) => {
    return `  var r${i}: ${type}${slot.load ? ` = ${numeric.load(`s${i}[e]`, width)}` : ''};`;
  });
  const sums = updates.map((update) => `  r${update.target} = ${updateText(update, numeric, width)};`);
  const stores = slots.flatMap((slot, i) =>
    slot.store ? [`  s${i}[e] = ${numeric.store(`r${i}`, width)};`] : [],
  );
  return [`fn finish(e: u32, P: ${type}) {`, ...loads, ...sums, ...stores, '}'].join('\n');
}

function updateText({ terms }: Update, numeric: Numeric, width: Width): string {
  const [first, second] = terms;
  const name = ({ slot }: Term) => (slot === PRODUCT ? 'P' : `r${slot}`);
  const left = first.sign < 0 ? numeric.negate(name(first), width) : name(first);
  if (second === undefined) return left;
  const combine = second.sign < 0 ? numeric.subtract : numeric.add;
  return combine(left, name(second), width);
}
