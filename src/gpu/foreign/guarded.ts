import type { Matrix, Real } from '../../matrix/dense.ts';
import { problem } from '../../problems.ts';
import type { OpenDevice } from '../device.ts';
import { GUARDS } from '../guards.ts';
import { READ_BACK } from '../read-back.ts';
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

/** The words of a matrix among those of its buffer. */
export const inside = (words: Uint32Array): Uint32Array => words.subarray(GUARDS, words.length - GUARDS);

/** What an operand's buffer holds before the work. */
export function fillOperand(entries: Entries, data: Real, words: Uint32Array): void {
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

/** Whether A and B are read back. */
export const readsOperands = (a: Matrix, b: Matrix): boolean => a.data.length + b.data.length <= READ_BACK;

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
