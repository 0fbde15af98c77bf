import { PRODUCT, type Slot, type Step, type Term, type Update } from '../../../plan/plan.ts';
import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';
import { opaqueZero } from '../opaque.ts';

/** What an epilogue is of a step. */
export type Finish = Pick<Step, 'slots' | 'updates'>;

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
export function finishFunction(step: Finish, numeric: Numeric, width: Width): string {
  const { loads, sums, stores } = finishLines(step, numeric, width, {
    index: () => 'e',
    product: 'P',
    suffix: '',
  });
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
  step: Finish,
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
      finishLines(step, numeric, width, { index: () => `e_${at}`, product, suffix: `_${at}` }),
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
  /** Where the entry of a slot lies. */
  readonly index: (slot: number) => string;
  readonly product: string;
  /** Of the names of registers. */
  readonly suffix: string;
}

/** An epilogue in lines of WGSL: its reads, its sums and its stores. */
export function finishLines(
  { slots, updates }: Finish,
  numeric: Numeric,
  width: Width,
  { index, product, suffix }: Finishing,
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
      slot.store ? [`s${i}[${index(i)}] = ${numeric.store(register(i), width)};`] : [],
    ),
  };
}

/** A sum of WGSL: terms from left to right, one rounding an addition, a factor other than ±1 as a multiply-add. */
function updateText(
  { terms }: Update,
  register: (slot: number) => string,
  numeric: Numeric,
  width: Width,
): string {
  const sum = terms.reduce<string | undefined>((sum, { factor, slot }: Term) => {
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
 * `fn finish(e: u32, P: value)` as {@link finishFunction} writes it, but where each slot stores the product, its negative,
 * or its own sum with either, which of these is read from the uniform ({@link updatesWord}): one shader, and one
 * compilation, serves all products of a schedule.
 */
export function finishByParams(step: Finish, numeric: Numeric, width: Width): string {
  if (ownUpdates(step) === undefined) return finishFunction(step, numeric, width);
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

/** What {@link finishByParams} reads from the uniform of a step: of slot i, bit 2i that it is added to, bit 2i + 1 that the product is turned. */
export function updatesWord(step: Finish): number {
  const words = (ownUpdates(step) ?? []).map(
    ({ adds, turns }, i) => Number(adds) * bit(ADDS, i) + Number(turns) * bit(TURNS, i),
  );
  return words.reduce((sum, word) => sum + word, 0);
}

/** What each slot does with the product, where that is all that it does; undefined where sums of slots are stored. */
function ownUpdates({ slots, updates }: Finish): { adds: boolean; turns: boolean }[] | undefined {
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
