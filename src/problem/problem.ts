import type { Factor } from '../matrix/factor.ts';
import type { Method } from './method.ts';

/** As stored, transposed, or transposed and conjugated: of real entries, the same as transposed. */
export const ops = ['n', 't', 'c'] as const;
export type Op = (typeof ops)[number];

/** Ways of the matrices of a batch to lie that are no distance between them. */
export const gaps = ['same', 'interleaved'] as const;

/** How one matrix, or a batch of them, lies in memory. */
export interface Storage {
  readonly op: Op;
  readonly order: 'row' | 'column';
  /** Entries by which the leading dimension exceeds the least it can be. */
  readonly pad: number;
  /** Entries before the first. */
  readonly offset: number;
  /**
   * Entries between the matrices of a batch; `same` where all products take one matrix; `interleaved` where line i of all
   * products comes before line i + 1 of any, as heads of attention lie.
   */
  readonly gap: number | (typeof gaps)[number];
}

/** Row by row, one after the other. */
export const plainStorage: Storage = { op: 'n', order: 'row', pad: 0, offset: 0, gap: 0 };

/** `n`, or such as `tf+3@64*same`: op, f where columns lie one after the other, +pad, @offset, *gap. */
export function formatStorage({ op, order, pad, offset, gap }: Storage): string {
  const part = (sign: string, entries: Storage['gap']) => (entries === 0 ? '' : `${sign}${entries}`);
  return `${op}${order === 'column' ? 'f' : ''}${part('+', pad)}${part('@', offset)}${part('*', gap)}`;
}

const PARTS =
  /^(?<op>[ntc])(?<column>f?)(\+(?<pad>\d{1,10}))?(@(?<offset>\d{1,10}))?(\*(?<gap>\d{1,10}|same|interleaved))?$/;

/** The storage of a text; undefined where it says none. */
export function readStorage(text: string): Storage | undefined {
  const parts = PARTS.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { op, column, pad = 0, offset = 0, gap = 0 } = parts;
  return {
    op: op as Op,
    order: column === '' ? 'row' : 'column',
    pad: Number(pad),
    offset: Number(offset),
    gap: gaps.find((way) => way === gap) ?? Number(gap),
  };
}

/** Where the entries of a formula are computed. */
export const inits = ['f32', 'f64'] as const;

/**
 * D = α·op(A)·op(B) + β·C, `batch` times, with op(A) m×k, op(B) k×n, and all that decides its operands. With β = 0, C is
 * not read; with α = 0, A and B are not, as in BLAS.
 */
export interface GemmProblem {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly batch: number;
  /** With an imaginary part in precisions of complex entries alone. */
  readonly alpha: Factor;
  readonly beta: Factor;
  readonly a: Storage;
  readonly b: Storage;
  readonly c: Storage;
  /** Without it, D overwrites C. */
  readonly d?: Storage | undefined;
  readonly precision: string;
  /** The family of test matrices. */
  readonly input: string;
  /** What the generated pair is changed by: `spread:3,zero-rows:0-4`, or `none`. */
  readonly edit: string;
  readonly init: (typeof inits)[number];
  readonly seed: number;
  /** Products that are computed together, of unequal shapes, this one among them. */
  readonly group: number;
  /** Times that it is asked for, among other products and beside them. */
  readonly repeats: number;
  /** Products of a program that are asked for before it, in a kernel that has computed nothing yet: each is judged. */
  readonly program: number;
}

/** All fields of a case on one level. */
export type Flat = { readonly kernel: string; readonly fault?: string | undefined } & Method & GemmProblem;
export type Key = keyof Flat;
