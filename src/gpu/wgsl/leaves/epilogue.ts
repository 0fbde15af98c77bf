import { PRODUCT, type Slot, type SlotTerm, type Step, type Update } from '../../../plan/plan.ts';
import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';
import { opaqueZero } from '../fused/instances.ts';

/** The part of a step that its epilogue depends on. */
export type EpilogueInput = Pick<Step, 'slots' | 'updates'>;

/** Returns WGSL that declares the slots' buffers as `s0`, `s1`, …, from a binding number on. */
export function declareSlots(
  slots: readonly Slot[],
  numeric: Numeric,
  width: Width,
  firstBinding: number,
): string {
  return slots.map((_, i) => declareBuffer(firstBinding + i, `s${i}`, numeric, width)).join('\n');
}

/** Returns WGSL that declares a storage buffer at a binding. All buffers are bound read-write, since blocks share them. */
export function declareBuffer(binding: number, name: string, numeric: Numeric, width: Width): string {
  return `@group(0) @binding(${binding}) var<storage, read_write> ${name}: array<${numeric.memory(width)}>;`;
}

/**
 * Returns the WGSL `fn finish(e: u32, P: value)`: the updates of a step at index e of its slots, with one rounding an update. Each slot is
 * read at most once and written at most once.
 */
export function finishFunction(step: EpilogueInput, numeric: Numeric, width: Width): string {
  const { loads, sums, stores } = finishLines(step, numeric, width, {
    ...{ index: () => 'e', product: 'P', suffix: '' },
    behind: numeric.behind && ((sum) => `behindAt(e, ${sum})`),
  });
  return [
    `fn finish(e: u32, P: ${numeric.value(width)}) {`,
    ...[...loads, ...sums, ...stores].map((line) => `  ${line}`),
    '}',
  ].join('\n');
}

/**
 * Returns WGSL that declares the steps behind sums at a binding, if there are any, and `fn behindAt(e: u32, sum: value) -> value` for
 * entries of a dense product with `params.n` columns.
 */
export function declareBehind({ behind }: Numeric, width: Width, binding: number): string {
  if (behind === undefined) return '';
  const entry = (c: number) => `behind(sum[${c}], 0u, i, j + ${c}u)`;
  const [of, type] =
    width === 1
      ? ['behind(sum, 0u, i, j)', 'f32']
      : [`vec4<f32>(${[0, 1, 2, 3].map(entry).join(', ')})`, 'vec4<f32>'];
  return `${behind.declare(binding)}
fn behindAt(e: u32, sum: ${type}) -> ${type} {
  let i = ${width}u * e / params.n;
  let j = ${width}u * e % params.n;
  return ${of};
}`;
}

/** The slots that an invocation reads before it updates them, so that their latencies overlap. */
const READ_AT_ONCE = 8;

/** Returns lines of WGSL that apply a step's updates to several products of an invocation at once. */
export function finishTogether(
  step: EpilogueInput,
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
      finishLines(step, numeric, width, {
        ...{ index: () => `e_${at}`, product, suffix: `_${at}` },
        behind: numeric.behind && ((sum) => `behindAt(e_${at}, ${sum})`),
      }),
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
  readonly index: (slot: number) => string;
  readonly product: string;
  /** The suffix of the names of registers. */
  readonly suffix: string;
  /** Returns what is stored for a complete sum. @defaultValue the sum itself */
  readonly behind?: ((sum: string) => string) | undefined;
}

/** Returns the lines of an epilogue in WGSL: its loads, its sums and its stores. */
export function finishLines(
  { slots, updates }: EpilogueInput,
  numeric: Numeric,
  width: Width,
  { index, product, suffix, behind = (sum) => sum }: Finishing,
) {
  const register = (slot: number) => (slot === PRODUCT ? product : `r${slot}${suffix}`);
  return {
    loads: slots.map((slot, i) => {
      const held = slot.load ? ` = ${numeric.load(`s${i}[${index(i)}]`, width)}` : '';
      return `var ${register(i)}: ${numeric.value(width)}${held};`;
    }),
    sums: updates.map(
      (update) => `${register(update.target)} = ${updateText(update, register, numeric, width)};`,
    ),
    stores: slots.flatMap((slot, i) =>
      slot.store ? [`s${i}[${index(i)}] = ${numeric.store(behind(register(i)), width)};`] : [],
    ),
  };
}

/** Returns a sum in WGSL: terms from left to right, one rounding an addition, a factor other than ±1 as a multiply-add. */
function updateText(
  { terms }: Update,
  register: (slot: number) => string,
  numeric: Numeric,
  width: Width,
): string {
  const sum = terms.reduce<string | undefined>((sum, { factor, slot }: SlotTerm) => {
    const value = register(slot);
    if (Math.abs(factor) !== 1) {
      const [by, of] = [numeric.constant(factor, width), numeric.factorOf(value, width)];
      return numeric.multiplyAdd(by, of, sum ?? opaqueZero(numeric, width), width);
    }
    if (sum === undefined) return factor < 0 ? numeric.negate(value, width) : value;
    return (factor < 0 ? numeric.subtract : numeric.add)(sum, value, width);
  }, undefined);
  return sum ?? numeric.zero(width);
}

/**
 * Returns the WGSL `fn finish(e: u32, P: value)` like {@link finishFunction}. If each slot only stores the product, its negative, or its
 * own sum with either, the choice is read from the uniform ({@link updatesWord}). One shader, compiled once, then serves all products of a
 * schedule.
 */
export function finishByParams(step: EpilogueInput, numeric: Numeric, width: Width): string {
  if (numeric.behind !== undefined || ownUpdates(step) === undefined)
    return finishFunction(step, numeric, width);
  const updates = step.slots.map((_, i) => {
    const [adds, turns] = [bit(ADDS, i), bit(TURNS, i)].map((word) => `(params.updates & ${word}u) != 0u`);
    return `  var r${i} = P;
  if (${turns}) { r${i} = ${numeric.negate(`r${i}`, width)}; }
  if (${adds}) { r${i} = ${numeric.add(`r${i}`, numeric.load(`s${i}[e]`, width), width)}; }
  s${i}[e] = ${numeric.store(`r${i}`, width)};`;
  });
  return [`fn finish(e: u32, P: ${numeric.value(width)}) {`, ...updates, '}'].join('\n');
}

const ADDS = 0;
const TURNS = 1;
const bit = (what: number, slot: number) => 2 ** (2 * slot + what);

/**
 * Returns the word that {@link finishByParams} reads from the uniform of a step. For slot i, bit 2i means that the product is added to it,
 * bit 2i + 1 that the product is negated.
 */
export function updatesWord(step: EpilogueInput): number {
  const words = (ownUpdates(step) ?? []).map(
    ({ adds, turns }, i) => Number(adds) * bit(ADDS, i) + Number(turns) * bit(TURNS, i),
  );
  return words.reduce((sum, word) => sum + word, 0);
}

/** Returns the update of each slot, if all slots only store the product, its negative, or its own sum with either; otherwise undefined. */
function ownUpdates({ slots, updates }: EpilogueInput): { adds: boolean; turns: boolean }[] | undefined {
  const found = slots.map(({ load, store }, i) => {
    const [update, more] = updates.filter(({ target }) => target === i);
    const product = update?.terms.find(({ slot }) => slot === PRODUCT);
    const others = update?.terms.filter(({ slot }) => slot !== PRODUCT) ?? [];
    const own = others.every(({ slot, factor }) => slot === i && factor === 1);
    const isTurn = product !== undefined && Math.abs(product.factor) === 1;
    if (more !== undefined || !isTurn || !own || !store || load !== others.length > 0) return undefined;
    return { adds: load, turns: product.factor < 0 };
  });
  return found.every((one) => one !== undefined) ? found : undefined;
}
