import { type EpilogueCall, mapTensors } from '../matrix/epilogue-call.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { type Entries, entriesChanged, viewWords } from '../matrix/operands.ts';
import type { ScaleLayoutName } from '../precision/coding/scale-layouts.ts';
import { layOutOperands } from '../precision/complex-operands.ts';
import { listsOf, mapFactorLists, type OperandMemory } from '../precision/operand-memory.ts';
import type { Precision } from '../precision/precision.ts';
import { kindOf, lengthOf, trueGetter } from './answer.ts';
import { gemmOfInput, type MemoryPlacement, type ProductInput } from './kernel.ts';

const bufferOf = trueGetter<ArrayBuffer>('buffer');
const offsetOf = trueGetter<number>('byteOffset');

/** Returns another view of the memory of entries, whatever was done to the given object. */
export function privateView(entries: Entries): Entries {
  const Kind = kindOf.call(entries) === 'Float64Array' ? Float64Array : Float32Array;
  return new Kind(bufferOf.call(entries), offsetOf.call(entries), lengthOf.call(entries));
}

/** Views of memory that a kernel has seen: the same memory gets the same view. */
const seen = new WeakMap<Entries, Entries>();

function handed(entries: Entries): Entries {
  const known = seen.get(entries) ?? privateView(entries);
  seen.set(entries, known);
  return known;
}

/** Returns separate views of the operands for a kernel that may change its objects; the originals stay unchanged. */
export function copyOperandViews({ a, b, c, d, factors }: OperandMemory): OperandMemory {
  return { a: handed(a), b: handed(b), c: handed(c), d: handed(d), factors: mapFactorLists(factors, handed) };
}

/** The memory of the previous product's operands, and its description. */
export interface PreviousMemory {
  readonly given: OperandMemory;
  readonly told: Gemm;
}

/** The most entries of D and operands of a product that is remembered: repeated products are small. */
const MOST = 2 ** 23;

/** Returns the memory of a product that the next may share; undefined for a large one, which is not kept. */
export function rememberMemory({ given, told }: PreviousMemory): PreviousMemory | undefined {
  const { a, b, c, d } = given;
  return a.length + b.length + c.length + d.length > MOST ? undefined : { given, told };
}

/**
 * Places operands in memory for a function: `own` is memory of their own, `before` that of the previous product. Without a previous
 * product its memory is not used.
 */
type Placing = (own: OperandMemory, before: OperandMemory | undefined) => OperandMemory;

const placings: Readonly<Record<MemoryPlacement, Placing>> = {
  again: (own, before) => (before === undefined ? own : laidIn(before, own)),
  strewn: (own) => inViews(own),
  heap: (own) => inHeap(own),
  'same-b': (own, before) => {
    if (before === undefined || own.b === own.a || before.b === before.a) return own;
    return isOf(before.b, own.b) ? { ...own, b: filled(before.b, own.b) } : own;
  },
  chained: (own, before) =>
    before !== undefined && own.b !== own.a && isOf(before.d, own.a)
      ? { ...own, a: filled(before.d, own.a) }
      : own,
};

/** Lays out a product in its requested placement. */
export function placeOperands(
  { operands, memory, ...factors }: ProductInput,
  { precision, scales }: { readonly precision: Precision; readonly scales?: ScaleLayoutName | undefined },
  before: PreviousMemory | undefined,
): OperandMemory {
  const litter = memory === 'strewn' ? 'numbers' : 'nan';
  const own = united(
    layOutOperands(operands, gemmOfInput({ operands, ...factors }), precision, { litter, scales }),
  );
  return memory === undefined ? own : placings[memory](own, before?.given);
}

/**
 * Returns a copy of the product's description for the kernel to keep, without `group` for a single product, and with the numbers of its
 * epilogue. Where the memory is that of the previous product, it is the previous object if equal.
 */
export function copyDescription(
  gemm: Gemm,
  memory: MemoryPlacement | undefined,
  before: PreviousMemory | undefined,
  epilogue?: readonly EpilogueCall[],
): Gemm {
  const isAgain = memory === 'again' || memory === 'same-b';
  const [a, b, c] = [{ ...gemm.a }, { ...gemm.b }, { ...gemm.c }];
  const { group = 1, chain: _, ...alone } = gemm;
  const own = {
    ...{ ...alone, ...(group === 1 ? {} : { group }), a, b, c },
    d: gemm.c === gemm.d ? c : { ...gemm.d },
    ...(epilogue && {
      epilogue: epilogue.map((step) => mapTensors(step, (x) => ({ ...x, data: x.data.slice() }))),
    }),
  };
  return isAgain && before !== undefined && isSame(own, before.told) ? before.told : own;
}

const isSame = (one: Gemm, other: Gemm) =>
  JSON.stringify(one) === JSON.stringify(other) && (one.c === one.d) === (other.c === other.d);

/** Number of entries around a view, in its larger memory. */
const AROUND = 12;

const isOf = (memory: Entries, entries: Entries) =>
  memory.length === entries.length && memory.constructor === entries.constructor;

/** Copies entries as words, since poison is a NaN with bits of its own. */
function filled(memory: Entries, entries: Entries): Entries {
  viewWords(memory).set(viewWords(entries));
  return memory;
}

/** Copies entries to new memory; entries that share an array still do. */
function moved(operands: OperandMemory, memoryFor: (entries: Entries) => Entries): OperandMemory {
  const made = new Map<Entries, Entries>();
  const move = (entries: Entries): Entries => {
    const there = made.get(entries) ?? filled(memoryFor(entries), entries);
    made.set(entries, there);
    return there;
  };
  const { a, b, c, d, factors } = operands;
  return { a: move(a), b: move(b), c: move(c), d: move(d), factors: mapFactorLists(factors, move) };
}

/** Places operands in views of larger memory. */
const inViews = (operands: OperandMemory): OperandMemory =>
  moved(operands, (entries) => {
    const all = new (entries.constructor as Float32ArrayConstructor)(entries.length + 2 * AROUND) as Entries;
    all.fill(Number.NaN);
    return all.subarray(AROUND, AROUND + entries.length) as Entries;
  });

export const listArrays = ({ a, b, c, d, factors }: OperandMemory): Entries[] => [
  ...[a, b, c, d],
  ...listsOf(factors),
];

/** Places operands in parts of one memory, as in WebAssembly. */
function inHeap(operands: OperandMemory): OperandMemory {
  const all = [...new Set(listArrays(operands))];
  const bytesOf = (entries: Entries) => 8 * Math.ceil((entries.byteLength + AROUND) / 8);
  const heap = new ArrayBuffer(all.reduce((sum, entries) => sum + bytesOf(entries), 0));
  new Uint8Array(heap).fill(255);
  let at = 0;
  return moved(operands, (entries) => {
    const from = at;
    at += bytesOf(entries);
    return new (entries.constructor as Float32ArrayConstructor)(heap, from, entries.length) as Entries;
  });
}

/** Makes A and B one array where they have the same bits, as programs do that multiply a matrix by its transpose. */
function united(operands: OperandMemory): OperandMemory {
  const { a, b } = operands;
  return a.length > 1 && a.length === b.length && entriesChanged(a, b) === 0
    ? { ...operands, b: a }
    : operands;
}

/** Places operands in the memory of others where lengths agree; else returns them unchanged. */
function laidIn(memory: OperandMemory, own: OperandMemory): OperandMemory {
  const [there, here] = [listArrays(memory), listArrays(own)];
  const fits = there.length === here.length && here.every((entries, at) => isOf(there[at], entries));
  const isAlike =
    (memory.c === memory.d) === (own.c === own.d) && (memory.a === memory.b) === (own.a === own.b);
  if (!fits || !isAlike) return own;
  for (const [at, entries] of here.entries()) filled(there[at], entries);
  return memory;
}
