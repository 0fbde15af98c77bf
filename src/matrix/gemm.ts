import type { Shape } from './dense.ts';
import { factorOf, writtenFactor } from './factor.ts';
import type { Scaling } from './scaling.ts';

/** How a matrix, or the matrices of a batch, lie in memory, in BLAS's words. */
export interface Laid {
  /** `t`: what is stored is the transpose of what is multiplied; `c`, of complex entries alone: the conjugate transpose. */
  readonly op: 'n' | 't' | 'c';
  /** Whether entries of a row lie side by side, or those of a column. */
  readonly order: 'row' | 'column';
  /** Entries from the start of one stored row (or column) to that of the next: the leading dimension. */
  readonly ld: number;
  /** Entries before the first. */
  readonly offset: number;
  /** Entries from one matrix of a batch to the next: 0 where all products take the same one, fewer than those of a matrix where lines of several take turns. */
  readonly stride: number;
}

/**
 * What is asked of a kernel: D = alpha·op(A)·op(B) + beta·C, `batch` times, op(A) m×k, op(B) k×n, C and D m×n. Any size may
 * be 0. With beta = 0, C is not to be read; with alpha = 0 or k = 0, A and B are not.
 */
export interface Gemm extends Shape {
  readonly batch: number;
  readonly alpha: number;
  readonly beta: number;
  /** Imaginary parts of alpha and beta, where one of them is not 0: `alpha` and `beta` are their real parts then. */
  readonly imaginary?: Scaling | undefined;
  readonly a: Laid;
  readonly b: Laid;
  readonly c: Laid;
  /** The same as `c` where D overwrites C. */
  readonly d: Laid;
  /** Products of unequal shapes that are computed together, this one among them. @defaultValue 1 */
  readonly group?: number | undefined;
  /** Of complex entries how their parts lie, which sizes, leading dimensions, offsets and strides count as one; absent for real ones. */
  readonly entries?: ComplexEntries | undefined;
  /** What is asked of the kernel where its entries are complex: this is then the real product that stands for it. */
  readonly complex?: Gemm | undefined;
}

/** Real and imaginary part side by side, or all real parts, as far as a matrix or a batch reaches, and then all imaginary ones. */
export const complexEntries = ['interleaved', 'planar'] as const;
export type ComplexEntries = (typeof complexEntries)[number];

/** What is asked of the kernel: a product of its entries, of complex ones where they are. */
export const askedOf = (gemm: Gemm): Gemm => gemm.complex ?? gemm;

/** Rows×cols entries, `batch` times. */
interface Extent {
  readonly rows: number;
  readonly cols: number;
}

/** How a matrix of so many rows and columns lies row by row, without gaps. */
export const denseLaid = ({ rows, cols }: Extent): Laid => ({
  ...{ op: 'n', order: 'row', ld: Math.max(1, cols), offset: 0, stride: rows * cols },
});

/** A·B alone, everything row by row without gaps. */
export function plainGemm({ m, k, n }: Shape): Gemm {
  const c = denseLaid({ rows: m, cols: n });
  const [a, b] = [denseLaid({ rows: m, cols: k }), denseLaid({ rows: k, cols: n })];
  return { ...{ m, k, n, batch: 1, alpha: 1, beta: 0 }, a, b, c, d: c };
}

/** Of each matrix its rows and columns, after op. */
export const extentsOf = ({ m, k, n }: Shape) => ({
  a: { rows: m, cols: k },
  b: { rows: k, cols: n },
  c: { rows: m, cols: n },
  d: { rows: m, cols: n },
});

/** Stored rows (columns, of column order) and the entries of each. */
export function linesOf({ op, order }: Pick<Laid, 'op' | 'order'>, { rows, cols }: Extent) {
  return (op !== 'n') === (order === 'row') ? { lines: cols, entries: rows } : { lines: rows, entries: cols };
}

/** Entries from one to the next: down a column and along a row of the matrix after op. */
export function stepsOf({ op, order, ld }: Laid): { readonly row: number; readonly col: number } {
  return (op !== 'n') === (order === 'row') ? { row: 1, col: ld } : { row: ld, col: 1 };
}

/** Whether lines of the matrices of a batch take turns: the next matrix begins before the one has ended. */
export function isInterleaved(laid: Laid, extent: Extent, batch: number): boolean {
  const { lines } = linesOf(laid, extent);
  return batch > 1 && lines > 1 && laid.stride > 0 && laid.stride < laid.ld;
}

/** How many matrices are stored for a batch. */
export const storedCount = ({ stride }: Laid, batch: number, { rows, cols }: Extent): number =>
  stride === 0 && rows * cols > 0 ? Math.min(batch, 1) : batch;

/** Entries that a batch takes in memory, what lies before the first and behind the last line included. */
export function lengthOf(laid: Laid, extent: Extent, batch: number): number {
  const { lines, entries } = linesOf(laid, extent);
  if (lines * entries * batch === 0) return laid.offset;
  const others = isInterleaved(laid, extent, batch) ? 0 : (batch - 1) * laid.stride;
  return laid.offset + others + lines * laid.ld;
}

/** Whether a matrix lies row by row without gaps. */
export function isDense(
  { op, order, ld, offset, stride }: Laid,
  { rows, cols }: Extent,
  batch: number,
): boolean {
  const gapless = ld === Math.max(1, cols) && offset === 0 && (batch <= 1 || stride === rows * cols);
  return op === 'n' && order === 'row' && gapless;
}

/** Whether there is anything but A·B: an alpha other than 1, or a beta other than 0. */
export const isScaled = ({ alpha, beta, imaginary }: Scaled): boolean =>
  alpha !== 1 || beta !== 0 || imaginary !== undefined;

/** Whether C is read. */
export const readsAddend = ({ beta, imaginary }: Omit<Scaled, 'alpha'>): boolean =>
  beta !== 0 || (imaginary?.beta ?? 0) !== 0;

type Scaled = Pick<Gemm, 'alpha' | 'beta' | 'imaginary'>;

/** Whether a product is A·B of dense matrices, once: what every kernel computes. */
export function isPlain(gemm: Gemm): boolean {
  const { batch } = gemm;
  const extents = extentsOf(gemm);
  const dense = (['a', 'b', 'c', 'd'] as const).every((name) => isDense(gemm[name], extents[name], batch));
  return batch === 1 && (gemm.group ?? 1) === 1 && !isScaled(gemm) && gemm.c === gemm.d && dense;
}

/** Calls `visit` for every entry of every matrix that is stored: its place in a dense stack of them, and in memory. */
export function eachStored(
  laid: Laid,
  extent: Extent,
  batch: number,
  visit: (dense: number, stored: number) => void,
): void {
  const { rows, cols } = extent;
  const { row, col } = stepsOf(laid);
  const count = storedCount(laid, batch, extent);
  for (let p = 0, e = 0; p < count; p++) {
    for (let i = 0; i < rows; i++) {
      let at = laid.offset + p * laid.stride + i * row;
      for (let j = 0; j < cols; j++, e++, at += col) visit(e, at);
    }
  }
}

/** A product in words: its shape, and what it has beyond A·B of dense matrices. */
export function describeGemm(gemm: Gemm): string {
  const asked = askedOf(gemm);
  return [`${asked.m}×${asked.k}×${asked.n}`, ...describeBeyond(asked)].join(', ');
}

/** What a product has beyond A·B of dense matrices, in words. */
export function describeBeyond(gemm: Gemm): string[] {
  const { batch, alpha, beta, imaginary, group = 1 } = gemm;
  const extents = extentsOf(gemm);
  const together = group === 1 ? [] : [`one of ${group} of unequal shapes`];
  const [byAlpha, byBeta] = [
    factorOf(alpha, imaginary?.alpha ?? 0),
    factorOf(beta, imaginary?.beta ?? 0),
  ].map(writtenFactor);
  const scaled = isScaled(gemm) ? [`alpha ${byAlpha}`, `beta ${byBeta}`] : [];
  const laid = (['a', 'b', 'c', 'd'] as const).flatMap((name) => {
    const { op, order, ld, offset, stride } = gemm[name];
    if ((name === 'd' && gemm.c === gemm.d) || isDense(gemm[name], extents[name], batch)) return [];
    const parts = [
      ...(op === 'n' ? [] : [op === 'c' ? 'conjugated and transposed' : 'transposed']),
      ...(order === 'column' ? ['by columns'] : []),
      ...[`ld ${ld}`, `offset ${offset}`],
      ...(batch > 1 ? [`stride ${stride}`] : []),
    ];
    return [`${name.toUpperCase()} ${parts.join(' ')}`];
  });
  return [...(batch === 1 ? [] : [`${batch} of them`]), ...together, ...scaled, ...laid];
}
