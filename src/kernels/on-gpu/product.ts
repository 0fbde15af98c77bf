import type { ParanoiaError } from '../../base/errors.ts';
import type { OpenDevice } from '../../gpu/device.ts';
import { largestBuffer } from '../../gpu/limits.ts';
import { precisionUnserved, tooLarge } from '../../gpu/messages.ts';
import { withScopes } from '../../gpu/queue/errors.ts';
import { runInMemory } from '../../gpu/runner/memory.ts';
import type { Product } from '../../gpu/runner/product.ts';
import {
  GUARDS,
  type GuardedRange,
  listRanges,
  READ_BACK,
  type StoredMatrices,
} from '../../gpu/runner/stored.ts';
import type { GpuRange } from '../../gpu/web-gpu.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { batchLengthOf, eachStored, extentsOf, type Gemm, isDense, readsAddend } from '../../matrix/gemm.ts';
import { readsFactors, type StackedOperands } from '../../matrix/members.ts';
import { type Entries, viewWords } from '../../matrix/operands.ts';
import { kernelOperandsOf } from '../../precision/coding/kernel-operands.ts';
import { joinComplexEntries, numbersOf, readResult, storedPart } from '../../precision/complex-operands.ts';
import { type MatrixStorage, POISON, type StorageName, storageOfMatrices } from '../../precision/entries.ts';
import { copyFactors, listsOf } from '../../precision/operand-memory.ts';
import type { Precision } from '../../precision/precision.ts';
import type { KernelSpec } from '../claims.ts';
import { TIME_LIMIT } from '../deadline.ts';
import { gemmOfInput, type KernelSession, type ProductInput, runInSequence } from '../kernel.ts';
import { callBlaming } from '../kernel-error.ts';
import { kernelHangs } from '../messages.ts';

/** The ranges of A, B, C and D on the device, without the guard words around them; `d` is `c` where D overwrites C. */
export type OperandRanges = Readonly<Record<'a' | 'b' | 'c' | 'd', GpuRange>>;

/** Lists of factors of blocks, A's before B's: from the smallest blocks to the largest, then zero points. */
export type FactorLists = readonly Entries[];

export interface ExternalGpuWork {
  /** Its name in error messages. */
  readonly step: string;
  submit(operands: OperandRanges, factors: FactorLists): void | Promise<void>;
}

/** Bytes of the guard words on either side of a matrix. */
const GUARD_BYTES = 4 * GUARDS;

/** Returns a range with the guard words behind it: accesses past its end meet them, instead of the device's clamping of indices. */
export const includeGuard = ({ buffer, offset, size }: GpuRange): GpuRange => ({
  buffer,
  offset,
  size: size + GUARD_BYTES,
});

/**
 * Opens a kernel on the device. For each product A, B and, where it is read, C are uploaded in their layouts. D is filled with poison, or
 * with numbers where the product was requested before. Then the work is submitted, the device is awaited, and the memory is checked. The
 * seconds run from the start of the work until the device is done, and include its own compiling. A shader that never ends cannot be
 * stopped: later products hang too, and so does the end of the process.
 * @param device returns the device in use, for each product, since a lost one is replaced.
 * @throws ParanoiaError `bad-kernel`; of products `too-large`, `out-of-gpu-memory`, `gpu-error`, `device-lost`, `kernel-threw`,
 * `kernel-hangs`
 */
export function openOnDevice(
  { name, timeLimit = TIME_LIMIT, scales }: KernelSpec,
  precision: Precision,
  stored: StorageName | undefined,
  device: () => OpenDevice,
  workFor: (
    open: OpenDevice,
    gemm: Gemm,
    entries: MatrixStorage,
  ) => ExternalGpuWork | Promise<ExternalGpuWork>,
): KernelSession<ProductInput> {
  const entries = storageOfMatrices(name, precision, stored);
  const asked = new Set<string>();
  return {
    run: runInSequence(async (factors) => {
      const open = device();
      const gemm = gemmOfInput(factors);
      const work = await workFor(open, gemm, entries);
      const traits = traitsOf(factors.operands, gemm);
      const isAgain = asked.has(traits);
      asked.add(traits);
      const elements = kernelOperandsOf(factors.operands, gemm, precision);
      const lists = listsOf(copyFactors(elements.factors, scales));
      return multiplyGuarded(
        open,
        { ...work, kernel: name, entries, timeLimit, isAgain, lists },
        elements,
        gemm,
      );
    }),
  };
}

async function multiplyGuarded(
  open: OpenDevice,
  work: ExternalGpuWork & {
    readonly kernel: string;
    readonly entries: MatrixStorage;
    readonly timeLimit: number;
    readonly isAgain: boolean;
    readonly lists: FactorLists;
  },
  operands: StackedOperands,
  gemm: Gemm,
): Promise<Product> {
  const { kernel, entries, step, timeLimit, isAgain, lists } = work;
  const stored = storedEntries(entries, operands, gemm, isAgain);
  checkSizes(open, kernel, stored);
  let submitting: Promise<void> | undefined;
  const [product] = await runInMemory(
    open,
    [stored],
    kernel,
    ([places]) =>
      callBlaming(kernel, () =>
        withScopes(open, { kernel, step }, () => {
          const { A, B, C, D = C } = places as Record<'A' | 'B' | 'C', GpuRange> & { D?: GpuRange };
          const start = performance.now();
          submitting = (async () => work.submit({ a: A, b: B, c: C, d: D }, lists))();
          const done = submitting.then(() => open.device.queue.onSubmittedWorkDone());
          const elapsed = done.then(() => (performance.now() - start) / 1000);
          return within(timeLimit, elapsed, () => kernelHangs({ kernel, shape: gemm, seconds: timeLimit }));
        }),
      ),
    // Late work finds its buffers, so that no later product is blamed for its effects.
    () => submitting,
  );
  return product;
}

function checkSizes(open: OpenDevice, kernel: string, stored: StoredMatrices): void {
  const largest = largestBuffer(open);
  for (const [buffer, range] of listRanges(stored)) {
    const bytes = range.bytes + 2 * GUARD_BYTES;
    if (bytes > largest) throw tooLarge({ kernel, buffer, bytes, largest });
  }
}

/**
 * Waits for work up to a time limit, by the clock, since waiting for Dawn keeps this thread busy. The work itself continues: neither a
 * promise nor a shader can be stopped from here.
 * @throws the error of the work, or that of the missed limit.
 */
async function within<T>(seconds: number, work: Promise<T>, hanging: () => ParanoiaError): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(hanging()), 1000 * seconds);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}

/** Requires f16 of the device. @throws ParanoiaError `precision-unserved` where it has none. */
export function needHalf({ device, fingerprint }: OpenDevice, kernel: string): void {
  if (device.features.has('shader-f16')) return;
  const why = `it does not offer shader-f16, which ${kernel} needs`;
  throw precisionUnserved({ precision: 'f16', name: fingerprint.name, why });
}

/** The matrix of each range. */
const names = { A: 'a', B: 'b', C: 'c', D: 'd' } as const;
/** The operand that each range holds before the product. */
const asStored = { A: 'a', B: 'b', C: 'c', D: 'c' } as const;

/**
 * Returns the stored matrices of an external kernel, in the layouts of its product, with NaN between lines.
 * @param isAgain true if the product was requested before: D then holds numbers, else poison.
 */
function storedEntries(
  stored: MatrixStorage,
  { a, b, c }: StackedOperands,
  gemm: Gemm,
  isAgain: boolean,
): StoredMatrices {
  const extents = extentsOf(gemm);
  const litter = isAgain ? litterFor(gemm) : undefined;
  const operands = {
    ...(readsFactors(gemm) ? { A: a, B: b } : {}),
    ...{ C: readsAddend(gemm) ? c : litter, D: litter },
  };
  const isRead = a.data.length + b.data.length <= READ_BACK;
  const lengthIn = (name: keyof typeof names) =>
    numbersOf(gemm) * batchLengthOf(gemm[names[name]], extents[names[name]], gemm.batch);
  const entriesOf = (name: keyof typeof names) => stored[names[name] === 'd' ? 'c' : names[name]];
  const wordsFor = (name: keyof typeof names, count: number) =>
    Math.ceil((count * entriesOf(name).bytes) / 4);
  const fill = (name: keyof typeof names, words: Uint32Array) => {
    if (gemm.entries === undefined) return fillWith(name, operands[name], words);
    const half = words.length / 2;
    const [re, im] = ([0, 1] as const).map((part) => {
      const own = new Uint32Array(half);
      fillWith(name, partIn(name, part), own);
      return new Float32Array(own.buffer);
    });
    words.set(viewWords(joinComplexEntries(re, im, gemm)));
  };
  const partIn = (name: keyof typeof names, part: 0 | 1) => {
    const from = operands[name];
    return from === undefined || from === litter
      ? from
      : storedPart(asStored[name], from as Matrix, gemm, part);
  };
  const fillWith = (name: keyof typeof names, from: Pick<Matrix, 'data'> | undefined, words: Uint32Array) => {
    const entries = entriesOf(name);
    if (name === 'C' || name === 'D') entries.bits(words).fill(entries.poison);
    else words.fill(entries.trap);
    if (from === undefined) return;
    const [laid, extent] = [gemm[names[name]], extents[names[name]]];
    if (isDense(laid, extent, gemm.batch)) return entries.store(from.data, words);
    const dense = new Uint32Array(wordsFor(name, from.data.length));
    entries.store(from.data, dense);
    const [read, written] = [entries.bits(dense), entries.bits(words)];
    eachStored(laid, extent, gemm.batch, (at, stored) => {
      written[stored] = read[at];
    });
  };
  const range = (name: keyof typeof names, guard: number): GuardedRange => ({
    // At least one word, since a range of size 0 cannot be bound.
    bytes: 4 * Math.max(1, wordsFor(name, lengthIn(name))),
    words: 1,
    guard,
    before: (words) => fill(name, words),
    isRead: isRead || name === 'C' || name === 'D',
  });
  return {
    ranges: {
      ...{ A: range('A', stored.a.trap), B: range('B', stored.b.trap), C: range('C', stored.c.guard) },
      ...(gemm.c === gemm.d ? {} : { D: range('D', stored.c.guard) }),
    },
    result(words) {
      const entries = stored.c;
      const found = entries.load(words, lengthIn('D'));
      const [bits, kept] = [entries.bits(words), viewWords(found)];
      for (let at = 0; at < found.length; at++) if (bits[at] === entries.poison) kept[at] = POISON;
      const { entries: data, ...counts } = readResult(found, gemm, true);
      return { c: { rows: gemm.batch * numbersOf(gemm) * gemm.m, cols: gemm.n, data }, ...counts };
    },
    changed(name, after) {
      const before = new Uint32Array(after.length);
      fill(name, before);
      const entries = entriesOf(name);
      const found = entries.bits(after);
      return countWhere(entries.bits(before), (value, e) => value !== found[e]);
    },
  };
}

/** Returns numbers of ordinary size for D, as an earlier product may have left them: a shader may treat poison as 0. */
const litterFor = ({ batch, m, n }: Gemm): Pick<Matrix, 'data'> => ({
  data: Float32Array.from({ length: batch * m * n }, (_, at) => ((at * 40503) % 65521) / 32768 - 1),
});

/** Returns a key that tells products apart by a few of their entries. */
function traitsOf({ a, b }: StackedOperands, gemm: Gemm): string {
  return [JSON.stringify(gemm), ...a.data.subarray(0, FIRSTS), ...b.data.subarray(0, FIRSTS)].join();
}
const FIRSTS = 8;

function countWhere(
  bits: Uint32Array | Uint16Array | Uint8Array,
  test: (value: number, at: number) => boolean,
): number {
  let found = 0;
  for (let at = 0; at < bits.length; at++) if (test(bits[at], at)) found++;
  return found;
}
