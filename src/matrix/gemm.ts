import type { Shape } from './dense.ts';
import type { EpilogueCall } from './epilogue-call.ts';
import {
  formatFactor,
  imaginaryPart,
  makeFactor,
  realPart,
  type ScaleFactor,
  type Scaling,
} from './factor.ts';
import { structureOf } from './structure.ts';

/** The layout in memory of a matrix, or of the matrices of a batch, in BLAS's words. */
export interface MatrixLayout {
  /** `n`: memory holds the operand; `t`: its transpose; `c`, for complex entries only: its conjugate transpose. */
  readonly op: 'n' | 't' | 'c';
  /** The entries that lie side by side: those of a row, or those of a column. */
  readonly order: 'row' | 'column';
  /** The leading dimension: entries from the start of one stored row (or column) to the start of the next. */
  readonly ld: number;
  /** BLAS's increment: entries from one entry of a stored line to the next. Above 1, both strides are general. @defaultValue 1 */
  readonly inc?: number | undefined;
  /** Entries before the first one of the matrix. */
  readonly offset: number;
  /**
   * The batch stride: entries from one matrix of a batch to the next. It is 0 if all products share one matrix. It is smaller than a matrix
   * if the lines of the matrices are interleaved.
   */
  readonly stride: number;
  /**
   * For each matrix of a batch the entries before its first one, in place of `offset` and `stride`: a list of addresses, in no order. Equal
   * ones share an operand. @defaultValue `offset` and `stride` say where they lie
   */
  readonly addresses?: readonly number[] | undefined;
}

/**
 * The product requested of a kernel: D = alpha·op(A)·op(B) + beta·C, `batch` times; op(A) is m×k, op(B) k×n, C and D m×n. Any size may be
 * 0. With beta = 0, a kernel must not read C; with alpha = 0 or k = 0, it must not read A and B.
 */
export interface Gemm extends Shape {
  readonly batch: number;
  readonly alpha: number;
  readonly beta: number;
  /** Imaginary parts of alpha and beta, present if one of them is not 0; `alpha` and `beta` are then the real parts. */
  readonly imaginary?: Scaling | undefined;
  readonly a: MatrixLayout;
  readonly b: MatrixLayout;
  readonly c: MatrixLayout;
  /** The same object as `c` if D overwrites C. */
  readonly d: MatrixLayout;
  /** The number of products of unequal shapes that are computed together, this one included. @defaultValue 1 */
  readonly group?: number | undefined;
  /** The structure of its operands and of D, as in `syrk-lower`. @defaultValue `general` */
  readonly structure?: string | undefined;
  /**
   * The layout of real and imaginary parts. Sizes, leading dimensions, offsets and strides then count complex entries. Absent for real
   * entries.
   */
  readonly entries?: ComplexEntries | undefined;
  /** The complex product requested of the kernel; this Gemm is then the real product that stands for it. */
  readonly complex?: Gemm | undefined;
  /** The product of structured real operands requested of the kernel; this Gemm is then that of the full matrices. */
  readonly structured?: Gemm | undefined;
  /** The steps between alpha·op(A)·op(B) + beta·C and D, without their numbers. @defaultValue none */
  readonly chain?: GemmChain | undefined;
  /** The steps of `chain` with their numbers, in the product that a kernel gets. */
  readonly epilogue?: readonly EpilogueCall[] | undefined;
}

/** An epilogue without its numbers. */
export interface GemmChain {
  /** Its text in cases: `bias:row,gelu-tanh`. */
  readonly text: string;
  /** The columns of D: n, or half of them behind each gate. */
  readonly columns: number;
  /** The format of the codes that D holds, by name, if the last step decides it. */
  readonly codes?: string | undefined;
}

/**
 * The layouts of complex entries. Interleaved: the real and imaginary part of an entry lie side by side. Planar: all real parts of a matrix
 * or batch precede all imaginary ones.
 */
export const complexEntries = ['interleaved', 'planar'] as const;
export type ComplexEntries = (typeof complexEntries)[number];

/** Returns the product requested of the kernel: the complex one if its entries are complex, or the structured one. */
export const requestedGemm = (gemm: Gemm): Gemm => gemm.complex ?? gemm.structured ?? gemm;

interface Extent {
  readonly rows: number;
  readonly cols: number;
}

/** Returns the layout of a row-major matrix without gaps. */
export const denseLayout = ({ rows, cols }: Extent): MatrixLayout => ({
  ...{ op: 'n', order: 'row', ld: Math.max(1, cols), offset: 0, stride: rows * cols },
});

/** Returns the product A·B alone, with all matrices row-major and without gaps. */
export function plainGemm({ m, k, n }: Shape): Gemm {
  const c = denseLayout({ rows: m, cols: n });
  const [a, b] = [denseLayout({ rows: m, cols: k }), denseLayout({ rows: k, cols: n })];
  return { ...{ m, k, n, batch: 1, alpha: 1, beta: 0 }, a, b, c, d: c };
}

/** The parts of a product that decide the shapes of its matrices. */
type Shaped = Shape & Partial<Pick<Gemm, 'structure' | 'chain' | 'c' | 'd'>>;

/** Returns the rows and columns of each matrix after op. A C that D overwrites has its shape. */
export function extentsOf({ m, k, n, structure, chain, c, d }: Shaped) {
  const columns = chain?.columns ?? n;
  return {
    a: { rows: m, cols: k },
    b: extentsOfB({ m, k, n, structure }),
    c: { rows: m, cols: c !== undefined && c === d ? columns : n },
    d: { rows: m, cols: columns },
  };
}

function extentsOfB({ m, k, n, structure }: Shape & Pick<Gemm, 'structure'>): Extent {
  const second = structureOf({ structure })?.second;
  if (second === undefined) return { rows: k, cols: n };
  return second === 'swapped' ? { rows: m, cols: k } : { rows: 0, cols: 0 };
}

/** Returns the number of stored lines (rows, or columns in column order) and the entries of each. */
export function storedLinesOf({ op, order }: Pick<MatrixLayout, 'op' | 'order'>, { rows, cols }: Extent) {
  return (op !== 'n') === (order === 'row') ? { lines: cols, entries: rows } : { lines: rows, entries: cols };
}

/** Returns the least leading dimension of lines of so many entries, which is the memory of such a line. */
export const leastLine = (entries: number, inc = 1): number => Math.max(1, (entries - 1) * inc + 1);

/** Returns the distances in memory, in entries, from an entry to the one below it and to the one right of it, after op. */
export function stepsOf({ op, order, ld, inc = 1 }: MatrixLayout): {
  readonly row: number;
  readonly col: number;
} {
  return (op !== 'n') === (order === 'row') ? { row: inc, col: ld } : { row: ld, col: inc };
}

/** Returns the entries in memory before the first one of a matrix of a batch. */
export const startOf = ({ addresses, offset, stride }: MatrixLayout, p: number): number =>
  addresses?.[p] ?? offset + p * stride;

/** Returns the first product of a batch whose matrix has the address of that of product `p`. */
export const sourceOf = ({ addresses }: MatrixLayout, p: number): number =>
  addresses?.indexOf(addresses[p]) ?? p;

/** True if the lines of the matrices of a batch are interleaved: a matrix begins before the previous one has ended. */
export function isInterleaved(laid: MatrixLayout, extent: Extent, batch: number): boolean {
  const { lines } = storedLinesOf(laid, extent);
  return batch > 1 && lines > 1 && laid.stride > 0 && laid.stride < laid.ld;
}

/** Returns the number of matrices stored for a batch: 1 if all products share one matrix. */
export const storedCount = ({ stride }: MatrixLayout, batch: number, { rows, cols }: Extent): number =>
  stride === 0 && rows * cols > 0 ? Math.min(batch, 1) : batch;

/** Returns the entries that a batch takes in memory, including those before the first entry and after the last line. */
export function batchLengthOf(laid: MatrixLayout, extent: Extent, batch: number): number {
  const { lines, entries } = storedLinesOf(laid, extent);
  if (lines * entries * batch === 0) return laid.offset;
  if (isInterleaved(laid, extent, batch)) return laid.offset + lines * laid.ld;
  const last = laid.addresses?.reduce((most, at) => Math.max(most, at)) ?? startOf(laid, batch - 1);
  return last + lines * laid.ld;
}

/** True if a matrix is row-major without gaps. */
export function isDense(
  { op, order, ld, inc = 1, offset, stride, addresses }: MatrixLayout,
  { rows, cols }: Extent,
  batch: number,
): boolean {
  const gapless =
    ld === Math.max(1, cols) && inc === 1 && offset === 0 && (batch <= 1 || stride === rows * cols);
  return op === 'n' && order === 'row' && gapless && addresses === undefined;
}

/** True if a product is scaled: an alpha other than 1, or a beta other than 0. */
export const isScaled = ({ alpha, beta, imaginary }: Scaled): boolean =>
  alpha !== 1 || beta !== 0 || imaginary !== undefined;

/** True if the product reads C. */
export const readsAddend = ({ beta, imaginary }: Omit<Scaled, 'alpha'>): boolean =>
  beta !== 0 || (imaginary?.beta ?? 0) !== 0;

type Scaled = Pick<Gemm, 'alpha' | 'beta' | 'imaginary'>;

/** Returns alpha and beta split into real and imaginary parts. */
export function scalingOf({ alpha, beta }: Readonly<Record<'alpha' | 'beta', ScaleFactor>>): Scaled {
  const real = { alpha: realPart(alpha), beta: realPart(beta) };
  const imaginary = { alpha: imaginaryPart(alpha), beta: imaginaryPart(beta) };
  return imaginary.alpha === 0 && imaginary.beta === 0 ? real : { ...real, imaginary };
}

/** True if a product is a single A·B of dense matrices, which every kernel computes. */
export function isPlain(gemm: Gemm): boolean {
  const { batch } = gemm;
  const extents = extentsOf(gemm);
  const dense = (['a', 'b', 'c', 'd'] as const).every((name) => isDense(gemm[name], extents[name], batch));
  if (gemm.chain !== undefined || structureOf(gemm) !== undefined) return false;
  return batch === 1 && (gemm.group ?? 1) === 1 && !isScaled(gemm) && gemm.c === gemm.d && dense;
}

/** Calls `visit` for every entry of every stored matrix, with its index in a dense stack of the matrices and its index in memory. */
export function eachStored(
  laid: MatrixLayout,
  extent: Extent,
  batch: number,
  visit: (dense: number, stored: number) => void,
): void {
  const { rows, cols } = extent;
  const { row, col } = stepsOf(laid);
  const count = storedCount(laid, batch, extent);
  for (let p = 0, e = 0; p < count; p++) {
    for (let i = 0; i < rows; i++) {
      let at = startOf(laid, p) + i * row;
      for (let j = 0; j < cols; j++, e++, at += col) visit(e, at);
    }
  }
}

/** Describes a product in words: its shape, and its features beyond A·B of dense matrices. */
export function describeGemm(gemm: Gemm): string {
  const asked = requestedGemm(gemm);
  return [`${asked.m}×${asked.k}×${asked.n}`, ...describeBeyond(asked)].join(', ');
}

/** Describes a product's features beyond A·B of dense matrices in words. */
export function describeBeyond(gemm: Gemm): string[] {
  const { batch, alpha, beta, imaginary, group = 1, chain } = gemm;
  const extents = extentsOf(gemm);
  const together = group === 1 ? [] : [`one of a group of ${group}`];
  const structure = structureOf(gemm) === undefined ? [] : [`${gemm.structure}`];
  const [byAlpha, byBeta] = [
    makeFactor(alpha, imaginary?.alpha ?? 0),
    makeFactor(beta, imaginary?.beta ?? 0),
  ].map(formatFactor);
  const after = chain === undefined ? [] : [`epilogue ${chain.text}`];
  const scaled = isScaled(gemm) ? [`alpha ${byAlpha}`, `beta ${byBeta}`] : [];
  const laid = (['a', 'b', 'c', 'd'] as const).flatMap((name) => {
    const { op, order, ld, inc = 1, offset, stride, addresses } = gemm[name];
    if ((name === 'd' && gemm.c === gemm.d) || isDense(gemm[name], extents[name], batch)) return [];
    const parts = [
      ...(op === 'n' ? [] : [op === 'c' ? 'conjugated and transposed' : 'transposed']),
      ...(order === 'column' ? ['column-major'] : []),
      ...[`ld ${ld}`, ...(inc === 1 ? [] : [`inc ${inc}`]), `offset ${offset}`],
      ...(batch > 1 ? [addresses === undefined ? `stride ${stride}` : 'a list of addresses'] : []),
    ];
    return [`${name.toUpperCase()} ${parts.join(' ')}`];
  });
  const first = [...(batch === 1 ? [] : [`batch of ${batch}`]), ...together, ...structure];
  return [...first, ...scaled, ...laid, ...after];
}
