import type { ScaleFactor } from '../matrix/factor.ts';
import type { Method } from './method.ts';

/** Operations on a stored matrix: none, transpose, or conjugate transpose, which for real entries is the transpose. */
export const ops = ['n', 't', 'c'] as const;
export type Op = (typeof ops)[number];

/** Layouts of the matrices of a batch other than by a distance. */
export const gaps = ['same', 'interleaved', 'listed'] as const;

/** The memory layout of one matrix, or of a batch. */
export interface Storage {
  readonly op: Op;
  readonly order: 'row' | 'column';
  /** Entries by which the leading dimension exceeds its minimum. */
  readonly pad: number;
  /** Entries from one entry of a line to the next. @defaultValue 1 */
  readonly inc?: number | undefined;
  /** Entries before the first. */
  readonly offset: number;
  /**
   * Entries between the matrices of a batch. `same`: all products use one matrix. `interleaved`: line i of all products comes before line
   * i + 1 of any, as heads of attention lie. `listed`: at addresses in no order or regular distance, some operands shared.
   */
  readonly gap: number | (typeof gaps)[number];
}

/** Row-major storage without padding. */
export const plainStorage: Storage = { op: 'n', order: 'row', pad: 0, offset: 0, gap: 0 };

/** Formats storage as `n`, or such as `tf/2+3@64*same`: op, f for column-major, /inc, +pad, @offset, *gap. */
export function formatStorage({ op, order, inc = 1, pad, offset, gap }: Storage): string {
  const part = (sign: string, entries: Storage['gap']) => (entries === 0 ? '' : `${sign}${entries}`);
  const apart = inc === 1 ? '' : `/${inc}`;
  return `${op}${order === 'column' ? 'f' : ''}${apart}${part('+', pad)}${part('@', offset)}${part('*', gap)}`;
}

const PARTS =
  /^(?<op>[ntc])(?<column>f?)(\/(?<inc>\d{1,10}))?(\+(?<pad>\d{1,10}))?(@(?<offset>\d{1,10}))?(\*(?<gap>\d{1,10}|same|interleaved|listed))?$/;

/** Reads storage. Undefined for any other text. */
export function readStorage(text: string): Storage | undefined {
  const parts = PARTS.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { op, column, inc = 1, pad = 0, offset = 0, gap = 0 } = parts;
  return {
    op: op as Op,
    order: column === '' ? 'row' : 'column',
    pad: Number(pad),
    ...(Number(inc) === 1 ? {} : { inc: Number(inc) }),
    offset: Number(offset),
    gap: gaps.find((way) => way === gap) ?? Number(gap),
  };
}

/** The precisions in which the entries of a formula are computed. */
export const inits = ['f32', 'f64'] as const;

/**
 * D = α·op(A)·op(B) + β·C, `batch` times, with op(A) m×k, op(B) k×n, and the fields that decide its operands. As in BLAS, C is not read if
 * β = 0, and A and B are not read if α = 0.
 */
export interface GemmProblem {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly batch: number;
  /** Its imaginary part is 0 except in precisions of complex entries. */
  readonly alpha: ScaleFactor;
  readonly beta: ScaleFactor;
  readonly a: Storage;
  readonly b: Storage;
  readonly c: Storage;
  /** Storage of D. Without it, D overwrites C. */
  readonly d?: Storage | undefined;
  readonly precision: string;
  /** The family of test matrices. */
  readonly input: string;
  /** The edits of the generated pair: `spread:3,zero-rows:0-4`, or `none`. */
  readonly edit: string;
  readonly init: (typeof inits)[number];
  readonly seed: number;
  /** The steps after the product, without their numbers: `bias:row,gelu-tanh`, or `none`. The seed decides the numbers. */
  readonly epilogue: string;
  /** Number of products of unequal shapes that are computed together, this one included. */
  readonly group: number;
  /** The structure of operands and D, as in `syrk-lower`; `general` for dense ones. */
  readonly structure: string;
  /** Number of repetitions, after and concurrent with other products. */
  readonly repeats: number;
  /** Number of products of a program before it, in a kernel that has computed nothing yet. Each is judged. */
  readonly program: number;
  /** Number of products of small sizes before it, which one message sends together. Each is judged. */
  readonly sweep: number;
}

/** All fields of a case as a flat record. */
export type FlatCase = { readonly kernel: string; readonly fault?: string | undefined } & Method &
  GemmProblem;
export type FieldKey = keyof FlatCase;
