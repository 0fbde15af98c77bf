import { PRODUCT, type Slot, type Step, type Term } from '../../plan/plan.ts';

/** The WGSL type an entry, or four neighbouring entries of a row, is computed in. */
export type Lanes = 'f32' | 'vec4<f32>';

/** Declares the slots' buffers as `s0`, `s1`, … from a binding number on. */
export function declareSlots(slots: readonly Slot[], lanes: Lanes, firstBinding: number): string {
  return slots.map((_, i) => declareBuffer(firstBinding + i, `s${i}`, lanes)).join('\n');
}

/** A storage buffer at a binding; everything is bound read-write, since blocks share buffers. */
export function declareBuffer(binding: number, name: string, lanes: Lanes): string {
  return `@group(0) @binding(${binding}) var<storage, read_write> ${name}: array<${lanes}>;`;
}

/**
 * `fn finish(e: u32, P: lanes)`: the updates of a step at index e of its slots, one rounding an update, each
 * slot read at most once and written at most once.
 */
export function finishFunction(step: Step, lanes: Lanes): string {
  const { slots, updates } = step;
  const loads = slots.map((slot, i) => `  var r${i}: ${lanes}${slot.load ? ` = s${i}[e]` : ''};`);
  const sums = updates.map(({ target, terms }) => `  r${target} = ${terms.map(termText).join(' ')};`);
  const stores = slots.flatMap((slot, i) => (slot.store ? [`  s${i}[e] = r${i};`] : []));
  return [`fn finish(e: u32, P: ${lanes}) {`, ...loads, ...sums, ...stores, '}'].join('\n');
}

function termText({ sign, slot }: Term, index: number): string {
  const name = slot === PRODUCT ? 'P' : `r${slot}`;
  if (index === 0) return sign < 0 ? `-${name}` : name;
  return `${sign < 0 ? '-' : '+'} ${name}`;
}
