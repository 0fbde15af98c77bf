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
export function finishFunction(step: Step, numeric: Numeric, width: Width): string {
  const { loads, sums, stores } = finishLines(step, numeric, width, { index: 'e', product: 'P', suffix: '' });
  return [
    `fn finish(e: u32, P: ${numeric.value(width)}) {`,
    ...[...loads, ...sums, ...stores].map((line) => `  ${line}`),
    '}',
  ].join('\n');
}

/** Slots that an invocation reads before it updates them: reads wait together, not one after the other. */
const READ_AT_ONCE = 8;

/** The same for several products of an invocation at once: lines of WGSL. */
export function finishTogether(
  step: Step,
  numeric: Numeric,
  width: Width,
  products: readonly { readonly index: string; readonly product: string }[],
): string {
  const read = step.slots.filter(({ load }) => load).length;
  const atOnce = Math.max(1, Math.floor(READ_AT_ONCE / Math.max(1, read)));
  const groups: string[] = [];
  for (let first = 0; first < products.length; first += atOnce) {
    const group = products.slice(first, first + atOnce);
    const lines = group.map(({ product }, at) =>
      finishLines(step, numeric, width, { index: `e_${at}`, product, suffix: `_${at}` }),
    );
    const indices = group.map(({ index }, at) => `let e_${at} = ${index};`);
    const inOrder = (['loads', 'sums', 'stores'] as const).flatMap((part) =>
      lines.flatMap((each) => each[part]),
    );
    groups.push(['{', ...indices, ...inOrder, '}'].map((line) => `  ${line}`).join('\n'));
  }
  return groups.join('\n');
}

interface Finishing {
  readonly index: string;
  readonly product: string;
  /** Of the names of registers. */
  readonly suffix: string;
}

function finishLines(
  { slots, updates }: Step,
  numeric: Numeric,
  width: Width,
  { index, product, suffix }: Finishing,
) {
  const register = (slot: number) => (slot === PRODUCT ? product : `r${slot}${suffix}`);
  return {
    loads: slots.map((slot, i) => {
      const held = slot.load ? ` = ${numeric.load(`s${i}[${index}]`, width)}` : '';
      return `var ${register(i)}: ${numeric.value(width)}${held};`;
    }),
    sums: updates.map(
      (update) => `${register(update.target)} = ${updateText(update, register, numeric, width)};`,
    ),
    stores: slots.flatMap((slot, i) =>
      slot.store ? [`s${i}[${index}] = ${numeric.store(register(i), width)};`] : [],
    ),
  };
}

function updateText(
  { terms }: Update,
  register: (slot: number) => string,
  numeric: Numeric,
  width: Width,
): string {
  const [first, second] = terms;
  const name = ({ slot }: Term) => register(slot);
  const left = first.sign < 0 ? numeric.negate(name(first), width) : name(first);
  if (second === undefined) return left;
  const combine = second.sign < 0 ? numeric.subtract : numeric.add;
  return combine(left, name(second), width);
}
