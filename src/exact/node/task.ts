import type { RealArray } from '../../matrix/dense.ts';
import type { Certificate } from '../certificate.ts';
import type { Engine } from '../engine.ts';
import type { ExactOperands } from '../operands.ts';

/** A worker's task: a share of the blocks of one product. All arrays cover the whole of their shared memory. */
export interface ExactTask {
  readonly operands: ExactOperands;
  readonly engine: Engine;
  /** Element 0 counts the blocks handed out, row by row: a worker takes the next one by adding 1. */
  readonly handedOut: Int32Array;
  /** The rows and columns of a block. */
  readonly rows: number;
  readonly cols: number;
  /** The product and its remainders, m×n row-major, which workers write in place. */
  readonly value: Float64Array;
  readonly low: Float64Array;
}

/** A worker's answer when no blocks are left: the certificate of its blocks, or the fault that ended it. */
export type ExactTaskReply = { readonly certificate: Certificate } | { readonly wrong: string };

/** An operand as its memory: see {@link toMessage}. */
interface SentReals {
  readonly type: 'f32' | 'f64';
  readonly memory: ArrayBufferLike;
}

/** A task in the form in which it is posted. */
export interface TaskMessage extends Omit<ExactTask, 'operands' | 'value' | 'low'> {
  readonly operands: Omit<ExactOperands, 'a' | 'b'> & { readonly a: SentReals; readonly b: SentReals };
  readonly value: ArrayBufferLike;
  readonly low: ArrayBufferLike;
}

/**
 * Converts a task to a message. Arrays that grow with the product are sent as their memory. V8's serializer writes the length of a typed
 * array in 32 bits, so that one of 2^32 bytes would arrive empty; it passes memory on whole.
 */
export function toMessage({ operands, value, low, ...rest }: ExactTask): TaskMessage {
  return {
    ...rest,
    operands: { ...operands, a: sent(operands.a), b: sent(operands.b) },
    value: value.buffer,
    low: low.buffer,
  };
}

/** Converts a message to its task. */
export function fromMessage({ operands, value, low, ...rest }: TaskMessage): ExactTask {
  return {
    ...rest,
    operands: { ...operands, a: received(operands.a), b: received(operands.b) },
    value: new Float64Array(value),
    low: new Float64Array(low),
  };
}

const sent = (data: RealArray): SentReals => ({
  type: data instanceof Float32Array ? 'f32' : 'f64',
  memory: data.buffer,
});

const received = ({ type, memory }: SentReals): RealArray =>
  type === 'f32' ? new Float32Array(memory) : new Float64Array(memory);
