import type { Matrix } from '../../matrix/dense.ts';
import type { Gemm } from '../../matrix/gemm.ts';
import type { GivenArithmetic } from '../given-product.ts';
import type { LargePiece } from '../large.ts';
import type { ProjectionArithmetic } from '../projection.ts';

/** A matrix as its memory: V8's serializer writes the length of a typed array in 32 bits, and passes memory on whole. */
export interface SentMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly type: 'f32' | 'f64';
  readonly memory: SharedArrayBuffer;
  readonly at: number;
}

/** A large product in the form in which it is posted. The arithmetic of its tasks is sent in words. */
export interface SentProduct {
  readonly a: SentMatrix;
  readonly b: SentMatrix;
  readonly c: SentMatrix | undefined;
  readonly d: SentMatrix;
  readonly gemm: Gemm;
  readonly seed: number | undefined;
  readonly tasks: readonly Pick<ProjectionArithmetic, 'fast'>[];
  readonly largest: number;
  readonly arithmetic: GivenArithmetic;
}

/** A message to a worker: the product of the pieces that follow, or one of them. */
export type LargeMessage = { readonly product: SentProduct } | { readonly piece: LargePiece };

/** A worker's answer: that of a piece, or the fault of the exact product that ended it. Errors lose their class between threads. */
export type LargeReply =
  | { readonly answer: unknown }
  | {
      readonly wrong: string;
      readonly shape: { readonly m: number; readonly k: number; readonly n: number };
    };

/** Converts a matrix to a message; one that threads cannot read is copied. */
export function sendMatrix({ rows, cols, data }: Matrix): SentMatrix {
  const type = data instanceof Float32Array ? 'f32' : 'f64';
  const { buffer, byteOffset, byteLength } = data;
  if (buffer instanceof SharedArrayBuffer) return { rows, cols, type, memory: buffer, at: byteOffset };
  const memory = new SharedArrayBuffer(byteLength);
  receiveMatrix({ rows, cols, type, memory, at: 0 }).data.set(data);
  return { rows, cols, type, memory, at: 0 };
}

/** Converts a message to its matrix. */
export function receiveMatrix({ rows, cols, type, memory, at }: SentMatrix): Matrix {
  const count = rows * cols;
  const data = type === 'f32' ? new Float32Array(memory, at, count) : new Float64Array(memory, at, count);
  return { rows, cols, data };
}
