import type { Matrix, Real } from '../../matrix/dense.ts';
import { problem } from '../../problems.ts';
import type { OpenDevice } from '../device.ts';
import { type Execution, GUARDS, READ_BACK } from '../execute.ts';
import type { Entries } from './entries.ts';

/** Bytes of the guard words on either side of a matrix: also the offset at which it can be bound. */
const GUARD_BYTES = 4 * GUARDS;

/** A, B and C on the device, each in a buffer of its own between guard words, and what they are copied back to. */
export interface GuardedBuffers {
  readonly entries: Entries;
  readonly a: GPUBuffer;
  readonly b: GPUBuffer;
  readonly c: GPUBuffer;
  readonly staging: GPUBuffer;
  destroy(): void;
}

/** Words that so many entries take, at least one: nothing of size 0 can be bound. */
const wordsFor = ({ bytes }: Entries, count: number): number => Math.max(1, Math.ceil((count * bytes) / 4));

/** Bytes of a buffer that holds so many entries. */
const bytesFor = (entries: Entries, count: number): number => 4 * wordsFor(entries, count) + 2 * GUARD_BYTES;

/** @throws Problem `too-large` */
export function checkSizes({ limits }: OpenDevice, kernel: string, entries: Entries, a: Matrix, b: Matrix) {
  const largest = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  const counts = { A: a.rows * a.cols, B: b.rows * b.cols, C: a.rows * b.cols };
  for (const [buffer, count] of Object.entries(counts)) {
    const bytes = bytesFor(entries, count);
    if (bytes > largest) throw problem('too-large', { kernel, buffer, bytes, largest });
  }
}

/** Uploads A and B and fills C with poison; to be called within error scopes. */
export function allocate(device: GPUDevice, entries: Entries, a: Matrix, b: Matrix): GuardedBuffers {
  const buffers: GPUBuffer[] = [];
  const destroy = () => {
    for (const buffer of buffers) buffer.destroy();
  };
  const create = (size: number, usage: number, mappedAtCreation: boolean) => {
    const buffer = device.createBuffer({ size, usage, mappedAtCreation });
    buffers.push(buffer);
    return buffer;
  };
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const filled = (count: number, fill: (words: Uint32Array) => void) => {
    const buffer = create(bytesFor(entries, count), STORAGE | COPY_SRC | COPY_DST, true);
    fill(new Uint32Array(buffer.getMappedRange()));
    buffer.unmap();
    return buffer;
  };
  const operand = ({ data }: Matrix) => filled(data.length, (words) => fillOperand(entries, data, words));
  try {
    const c = filled(a.rows * b.cols, (words) => fillResult(entries, words));
    const held = { a: operand(a), b: operand(b), c };
    const size = c.size + (readsOperands(a, b) ? held.a.size + held.b.size : 0);
    return { ...held, entries, staging: create(size, COPY_DST | MAP_READ, false), destroy };
  } catch (error) {
    destroy();
    throw error;
  }
}

const inside = (words: Uint32Array): Uint32Array => words.subarray(GUARDS, words.length - GUARDS);

function fillOperand(entries: Entries, data: Real, words: Uint32Array): void {
  words.fill(entries.trap);
  entries.store(data, inside(words));
}

function fillResult(entries: Entries, words: Uint32Array): void {
  words.fill(entries.guard);
  entries.bits(inside(words)).fill(entries.poison);
}

/**
 * The range of a buffer that a kernel gets: the matrix alone or, so that who goes past its end meets guard words and
 * not the device's clamping of indices onto the last entry, with the words behind it.
 */
export function rangeOf(buffer: GPUBuffer, reach: 'exact' | 'beyond'): Required<GPUBufferBinding> {
  const behind = reach === 'exact' ? GUARD_BYTES : 0;
  return { buffer, offset: GUARD_BYTES, size: buffer.size - GUARD_BYTES - behind };
}

const readsOperands = (a: Matrix, b: Matrix): boolean => a.data.length + b.data.length <= READ_BACK;

/** Submits the copies of C and, where they are read back, of A and B. */
export function copyBack(device: GPUDevice, { a, b, c, staging }: GuardedBuffers): void {
  const encoder = device.createCommandEncoder();
  let at = 0;
  for (const buffer of [c, a, b]) {
    if (at + buffer.size > staging.size) break;
    encoder.copyBufferToBuffer(buffer, 0, staging, at, buffer.size);
    at += buffer.size;
  }
  device.queue.submit([encoder.finish()]);
}

/** What is to be seen in the words copied back: C, entries without a value, guards and operands overwritten. */
export function judge(
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
