import { alignUp } from '../../base/numbers.ts';
import type { OpenDevice } from '../device.ts';
import { type Buffers, openBuffers } from '../queue/buffers.ts';
import { useMapped, withScopes } from '../queue/errors.ts';
import { type GpuCommand, makeCopyCommand, submit } from '../queue/submit.ts';
import type { GpuBuffer, GpuDevice, GpuRange } from '../web-gpu.ts';
import type { RangeName } from '../wgsl/dispatch.ts';
import type { Product } from './product.ts';
import { GUARDS, type GuardedRange, listRanges, type StoredMatrices } from './stored.ts';

/** The ranges of one product's matrices, without guards. */
export type MatrixRanges = Readonly<Partial<Record<RangeName, GpuRange>>>;

/** The alignment of binding offsets in bytes, valid on every device. */
export const ALIGNED = 256;

/** The largest gap, in bytes, between ranges that one command copies: commands cost more than bytes. */
const NEARBY = 2 ** 16;

const guardBytes = ({ words }: GuardedRange) => 4 * words * GUARDS;
export const guardedSizeOf = (range: GuardedRange): number =>
  alignUp(range.bytes + 2 * guardBytes(range), ALIGNED);

/**
 * Uploads the matrices of products, runs `work`, and reads back the results. Several products share one buffer, which is filled and read as
 * a whole, since allocating and waiting take most of the time of a small product. A single product has buffers of its own.
 * @param work submits and waits. @returns the seconds of a product.
 * @param until the buffers are kept until this promise settles, if submitted work may finish later.
 * @throws ParanoiaError out-of-gpu-memory, gpu-error, device-lost, and the errors of `work`.
 */
export async function runInMemory(
  open: OpenDevice,
  stored: readonly StoredMatrices[],
  kernel: string,
  work: (places: readonly MatrixRanges[], buffers: Buffers) => Promise<number | undefined>,
  until?: () => Promise<unknown> | undefined,
): Promise<Product[]> {
  const allocating = { kernel, step: 'allocating buffers' };
  const buffers = openBuffers(open.device, allocating);
  try {
    const { places, readBack, staging, judge } = await withScopes(open, allocating, () =>
      allocate(open, buffers, stored),
    );
    const seconds = await work(places, buffers);
    await withScopes(open, { kernel, step: 'copying the result' }, () => submit(open.device, readBack));
    return await useMapped(open, staging, { kernel, step: 'reading the result' }, (bytes) =>
      judge(bytes).map((left) => ({ ...left, seconds })),
    );
  } finally {
    const end = until?.();
    if (end === undefined) buffers.destroy();
    else void end.catch(() => {}).then(() => buffers.destroy());
  }
}

/** A range with its guards in a buffer, starting at its first guard. */
interface Span {
  readonly range: GuardedRange;
  readonly buffer: GpuBuffer;
  readonly from: number;
}

function allocate({ device }: OpenDevice, buffers: Buffers, stored: readonly StoredMatrices[]) {
  const spans = new Map<GuardedRange, Span>();
  const ranges = stored.flatMap((one) => listRanges(one).map(([, range]) => range));
  for (const group of stored.length > 1 ? [ranges] : ranges.map((range) => [range])) {
    for (const span of placed(device, buffers, group)) spans.set(span.range, span);
  }
  const spanOf = (range: GuardedRange) => spans.get(range) as Span;
  const places = stored.map((one): MatrixRanges => {
    const all = listRanges(one).map(([name, range]) => {
      const { buffer, from } = spanOf(range);
      return [name, { buffer, offset: from + guardBytes(range), size: range.bytes }];
    });
    return Object.fromEntries(all);
  });
  const { readBack, bytes, leftOf } = readingBack(ranges.map(spanOf));
  const staging = buffers.create(bytes, GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ);
  const judge = (mapped: ArrayBuffer) => stored.map((one) => judged(one, (range) => leftOf(range, mapped)));
  return { places, readBack: readBack(staging), staging, judge };
}

/** Puts ranges into one buffer that is filled at creation. */
function placed(device: OpenDevice['device'], buffers: Buffers, ranges: readonly GuardedRange[]): Span[] {
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const usage = STORAGE | COPY_SRC | COPY_DST;
  const [first] = ranges;
  if (ranges.length === 1 && typeof first.before === 'number' && first.bytes > POISONED_BY_COPIES) {
    const buffer = buffers.create(guardedSizeOf(first), usage);
    poison(device, buffer, first);
    return [{ range: first, buffer, from: 0 }];
  }
  const starts: number[] = [];
  let bytes = 0;
  for (const range of ranges) {
    starts.push(bytes);
    bytes += guardedSizeOf(range);
  }
  const buffer = buffers.filled(bytes, usage, (mapped) => {
    ranges.forEach((range, at) => {
      const words = new Uint32Array(mapped, starts[at], (range.bytes + 2 * guardBytes(range)) / 4);
      fill(range, words);
    });
  });
  return ranges.map((range, at) => ({ range, buffer, from: starts[at] }));
}

/** Writes the initial contents of a range and its guards. */
function fill(range: GuardedRange, words: Uint32Array): void {
  const guard = guardBytes(range) / 4;
  const inside = words.subarray(guard, words.length - guard);
  words.subarray(0, guard).fill(range.guard);
  words.subarray(words.length - guard).fill(range.guard);
  if (typeof range.before === 'number') inside.fill(range.before);
  else range.before(inside);
}

/** The words of a range that were read back. */
interface Left {
  readonly guards: readonly Uint32Array[];
  readonly inside: Uint32Array | undefined;
}

/** Plans copies of ranges, or of their guards alone, to a staging buffer, and finds the copies there. */
function readingBack(spans: readonly Span[]) {
  const copies: { buffer: GpuBuffer; from: number; bytes: number; at: number }[] = [];
  let bytes = 0;
  const take = (buffer: GpuBuffer, from: number, length: number): number => {
    const last = copies.at(-1);
    if (last?.buffer === buffer && from - (last.from + last.bytes) <= NEARBY) {
      last.bytes = from + length - last.from;
      bytes = last.at + last.bytes;
      return last.at + from - last.from;
    }
    const at = alignUp(bytes, 8);
    copies.push({ buffer, from, bytes: length, at });
    bytes = at + length;
    return at;
  };
  // The places of the guards on either side of each range.
  const found = new Map<GuardedRange, readonly [front: number, behind: number]>();
  for (const { range, buffer, from } of spans) {
    const guard = guardBytes(range);
    const behind = guard + range.bytes;
    const at = take(buffer, from, range.isRead ? behind + guard : guard);
    found.set(range, [at, range.isRead ? at + behind : take(buffer, from + behind, guard)]);
  }
  return {
    readBack: (staging: GpuBuffer): GpuCommand[] =>
      copies.map(({ buffer, from, bytes, at }) => makeCopyCommand(buffer, staging, bytes, from, at)),
    bytes,
    leftOf(range: GuardedRange, mapped: ArrayBuffer): Left {
      const [front, behind] = found.get(range) as readonly [number, number];
      const words = (at: number, bytes: number) => new Uint32Array(mapped, at, bytes / 4);
      const guard = guardBytes(range);
      return {
        guards: [words(front, guard), words(behind, guard)],
        inside: range.isRead ? words(front + guard, range.bytes) : undefined,
      };
    },
  };
}

/** Evaluates the memory that a product left. */
function judged(stored: StoredMatrices, leftOf: (range: GuardedRange) => Left): Omit<Product, 'seconds'> {
  const left = listRanges(stored).map(([, range]) => ({ range, guards: leftOf(range).guards }));
  const { ranges } = stored;
  const { overwritten = 0, ...result } = stored.result(leftOf(ranges.D ?? ranges.C).inside as Uint32Array);
  const numbers = (['A', 'B', 'C'] as const).slice(0, ranges.D === undefined ? 2 : 3);
  const changes = listRanges(stored).flatMap(([name, range]) => {
    const own = numbers.find((one) => one === name);
    const count = range.changed ?? (own && ((after: Uint32Array) => stored.changed(own, after)));
    return count === undefined ? [] : [{ range, count }];
  });
  const isRead = changes.every(({ range }) => range.isRead);
  return {
    ...result,
    overwritten: left
      .flatMap(({ range, guards }) => guards.map((words) => touched(range, words)))
      .reduce((sum, each) => sum + each, overwritten),
    changed: isRead
      ? changes.reduce((sum, { range, count }) => sum + count(leftOf(range).inside as Uint32Array), 0)
      : undefined,
  };
}

/** Counts the guards with a changed word. */
function touched({ words, guard }: GuardedRange, all: Uint32Array): number {
  let found = 0;
  for (let at = 0; at < all.length; at += words) {
    if (all[at] !== guard || all[at + words - 1] !== guard) found++;
  }
  return found;
}

/** The size in bytes above which ranges are poisoned by copies on the device: mapping them would take as much host memory. */
const POISONED_BY_COPIES = 2 ** 28;
const CHUNK = 2 ** 24;

/**
 * Fills a range and its guards by copies from small buffers. The range holds one repeated word.
 * @param chunk the bytes copied at a time.
 */
export function poison(device: GpuDevice, buffer: GpuBuffer, range: GuardedRange, chunk = CHUNK): void {
  const guards = 4 * range.words * GUARDS;
  const end = guards + range.bytes;
  const filled = (size: number, word: number) => {
    const source = device.createBuffer({ size, usage: GPUBufferUsage.COPY_SRC, mappedAtCreation: true });
    new Uint32Array(source.getMappedRange()).fill(word);
    source.unmap();
    return source;
  };
  const [poisoned, guarding] = [filled(chunk, range.before as number), filled(guards, range.guard)];
  const commands: GpuCommand[] = [0, end].map((at) => makeCopyCommand(guarding, buffer, guards, 0, at));
  for (let at = guards; at < end; at += chunk) {
    commands.push(makeCopyCommand(poisoned, buffer, Math.min(chunk, end - at), 0, at));
  }
  submit(device, commands);
  // Submitted work keeps its buffers alive.
  poisoned.destroy();
  guarding.destroy();
}
