import type { RealArray } from '../../matrix/dense.ts';
import type { Engine } from '../engine.ts';
import type { Certificate } from '../exact-product.ts';
import type { MagnitudeOperands, ProductMagnitudes, ProductOperands } from '../magnitudes.ts';
import type { ExactOperands, LineShare, SharedOperands } from '../operands.ts';
import type { RoundedEntries } from '../postcondition.ts';

/** The blocks of a product that threads share. */
export interface SharedBlocks {
  /** The blocks handed out of each group, which spans all columns: a worker takes the group's next one by adding 1. */
  readonly handedOut: Int32Array;
  /** The group with which this worker begins: blocks of the same rows spare reading these again. */
  readonly start: number;
  /** The rows and columns of a block. */
  readonly rows: number;
  readonly cols: number;
}

/** A worker's task: a share of the blocks of one product. All arrays cover the whole of their shared memory. */
export interface ExactTask extends SharedBlocks {
  readonly operands: ExactOperands;
  readonly engine: Engine;
  /** The product and its remainders, m×n row-major, which workers write in place. */
  readonly value: Float64Array;
  readonly low: Float64Array;
}

/** A worker's task: a share of the lines of one product's operands. It precedes the product's own task, and is answered alike. */
export interface ProfileTask {
  readonly operands: SharedOperands;
  readonly share: LineShare;
}

/** A worker's task: a share of the magnitudes of one product. It precedes the product's own task. */
export interface MagnitudeTask extends SharedBlocks, ProductMagnitudes {
  readonly operands: MagnitudeOperands;
}

/** A worker's task: to check the rounding of a share of the entries of a product, of any shape. The answer is the blocks that it finds. */
export interface RoundingTask extends RoundedEntries {
  readonly first: number;
  readonly step: number;
}

/** A worker's task without an answer: to touch the pages of a share of memory, which the system allocates at the first write. */
export interface TouchTask {
  readonly touched: SharedArrayBuffer;
  readonly first: number;
  readonly step: number;
}

/** A worker's answer when no blocks are left: the certificate of its blocks, or the fault that ended it. */
export type ExactTaskReply = { readonly certificate: Certificate } | { readonly wrong: string };

/** An array that grows with the product, as its memory: see {@link toMessage}. */
interface SentReals {
  readonly type: 'f32' | 'f64';
  readonly memory: ArrayBufferLike;
}

/** A task in the form in which it is posted. */
export type TaskMessage<T> = {
  readonly [K in keyof T]: T[K] extends Float64Array
    ? SentReals
    : T[K] extends ProductOperands
      ? Omit<T[K], 'a' | 'b'> & { readonly a: SentReals; readonly b: SentReals }
      : T[K];
};

/** A task of any kind, as it is posted. */
export type AnyTaskMessage =
  | TaskMessage<ExactTask>
  | TaskMessage<MagnitudeTask>
  | TaskMessage<ProfileTask>
  | TaskMessage<RoundingTask>
  | TouchTask;

/**
 * Converts a task to a message. Arrays that grow with the product are sent as their memory. V8's serializer writes the length of a typed
 * array in 32 bits, so that one of 2^32 bytes would arrive empty; it passes memory on whole.
 */
export function toMessage({ operands, value, low, ...rest }: ExactTask): TaskMessage<ExactTask> {
  return { ...rest, operands: sentOperands(operands), value: sent(value), low: sent(low) };
}

/** Converts a task of magnitudes likewise. */
export function toMagnitudeMessage(task: MagnitudeTask): TaskMessage<MagnitudeTask> {
  const { operands, sizes, squares, ...rest } = task;
  return { ...rest, operands: sentOperands(operands), sizes: sent(sizes), squares: sent(squares) };
}

/** Converts a task of lines likewise. */
export function toProfileMessage({ operands, share }: ProfileTask): TaskMessage<ProfileTask> {
  return { operands: sentOperands(operands), share };
}

/** Converts a task of rounding likewise. */
export function toRoundingMessage({ value, low, ...rest }: RoundingTask): TaskMessage<RoundingTask> {
  return { ...rest, value: sent(value), low: sent(low) };
}

/** Converts a message to its task. */
export function fromMessage({ operands, value, low, ...rest }: TaskMessage<ExactTask>): ExactTask {
  return { ...rest, operands: receivedOperands(operands), value: doubles(value), low: doubles(low) };
}

/** Converts a message of magnitudes likewise. */
export function fromMagnitudeMessage(message: TaskMessage<MagnitudeTask>): MagnitudeTask {
  const { operands, sizes, squares, ...rest } = message;
  return { ...rest, operands: receivedOperands(operands), sizes: doubles(sizes), squares: doubles(squares) };
}

/** Converts a message of lines likewise. */
export function fromProfileMessage({ operands, share }: TaskMessage<ProfileTask>): ProfileTask {
  return { operands: receivedOperands(operands), share };
}

/** Converts a message of rounding likewise. */
export function fromRoundingMessage({ value, low, ...rest }: TaskMessage<RoundingTask>): RoundingTask {
  return { ...rest, value: doubles(value), low: doubles(low) };
}

const sent = (data: RealArray): SentReals => ({
  type: data instanceof Float32Array ? 'f32' : 'f64',
  memory: data.buffer,
});

const sentOperands = <T extends ProductOperands>(operands: T) => ({
  ...operands,
  a: sent(operands.a),
  b: sent(operands.b),
});

const received = ({ type, memory }: SentReals): RealArray =>
  type === 'f32' ? new Float32Array(memory) : new Float64Array(memory);

const doubles = ({ memory }: SentReals): Float64Array => new Float64Array(memory);

const receivedOperands = <T extends { readonly a: SentReals; readonly b: SentReals }>(operands: T) => ({
  ...operands,
  a: received(operands.a),
  b: received(operands.b),
});
