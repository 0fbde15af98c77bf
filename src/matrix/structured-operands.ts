import { type Matrix, matrix } from './dense.ts';
import type { Gemm } from './gemm.ts';
import { readsFactors, type StackedOperands } from './members.ts';
import type { Entries } from './operands.ts';
import { isInTriangle, otherTriangle, type Structure, structureOf, type Triangle } from './structure.ts';

/** The real or the imaginary part of complex entries; real entries have the real part alone. */
export type Part = 0 | 1;

type Operands = Pick<StackedOperands, 'a' | 'b' | 'c'>;

/** Returns the inner size of the product of full matrices. Two products are one of twice as many terms: [A B]·[B A]ᵀ. */
export const fullInnerSize = (gemm: Pick<Gemm, 'k' | 'structure'>): number =>
  structureOf(gemm)?.second === 'swapped' ? 2 * gemm.k : gemm.k;

const made = ({ data }: Matrix, rows: number, cols: number, entry: (i: number, j: number) => number) => {
  const all = data.slice(0, 0).constructor as Float32ArrayConstructor;
  const entries = new all(rows * cols);
  for (let i = 0, e = 0; i < rows; i++) for (let j = 0; j < cols; j++, e++) entries[e] = entry(i, j);
  return matrix(rows, cols, entries);
};

/** Returns the sign of an entry of the transpose: that of an imaginary part changes where transposes are conjugate. */
const signOf = ({ isHermitian }: Structure, part: Part) => (isHermitian && part === 1 ? -1 : 1);

const at = ({ cols, data }: Matrix, i: number, j: number): number => data[i * cols + j];

/** Returns the symmetric or Hermitian matrix of which a triangle is given. */
const mirrored = (x: Matrix, triangle: Triangle, of: Structure, part: Part) => {
  const sign = signOf(of, part);
  return made(x, x.rows, x.cols, (i, j) =>
    i === j && sign < 0 ? 0 : isInTriangle(triangle, i, j) ? at(x, i, j) : sign * at(x, j, i),
  );
};

/** Returns the stored triangle of an operand after its op. */
const triangleAfterOp = ({ triangle }: { readonly triangle: Triangle }, op: string): Triangle =>
  op === 'n' ? triangle : otherTriangle(triangle);

/**
 * Returns the full operands of a product of structured ones, part by part. What is not stored is mirrored, 0 or 1, and B is made of A where
 * it is its transpose. C is the matrix of which a triangle is read.
 * @param drawn operands of the sizes of the full product.
 */
export function expandOperands<T extends Operands>(gemm: Gemm, drawn: readonly T[]): T[] {
  const structure = structureOf(gemm);
  if (structure === undefined) return [...drawn];
  const { reads, second, writes } = structure;
  const full = drawn.map((operands, part: number) => {
    const of = (x: Matrix, triangle: Triangle) => mirrored(x, triangle, structure, part as Part);
    const sign = signOf(structure, part as Part);
    const { a, c } = operands;
    const more: Partial<Record<'a' | 'b' | 'c', Matrix>> = {};
    if (reads !== undefined) {
      const x = operands[reads.of];
      const stored = triangleAfterOp(reads, gemm[reads.of].op);
      more[reads.of] =
        reads.rest === 'mirrored'
          ? of(x, stored)
          : made(x, x.rows, x.cols, (i, j) =>
              i === j && reads.isUnit ? 1 - part : isInTriangle(stored, i, j) ? at(x, i, j) : 0,
            );
    }
    if (second !== undefined) {
      const shift = second === 'swapped' ? gemm.k : 0;
      more.b = made(a, a.cols, a.rows, (q, j) => sign * at(a, j, (q + shift) % a.cols));
      if (c !== undefined && writes !== undefined) more.c = of(c, writes);
    }
    return { ...operands, ...more };
  });
  return isTurned(gemm) ? turned(full, gemm.k) : full;
}

/** True if alpha is imaginary where only one of two products has its conjugate. */
const isTurned = (gemm: Gemm): boolean =>
  structureOf(gemm)?.alpha === 'axis' && gemm.alpha === 0 && (gemm.imaginary?.alpha ?? 0) !== 0;

/** Returns operands with the imaginary unit of alpha in A: i·y·A·Bᴴ − i·y·B·Aᴴ = y·[iA −iB]·[B A]ᴴ. */
function turned<T extends Operands>([re, im]: readonly T[], k: number): T[] {
  const sign = (j: number) => (j < k ? 1 : -1);
  const { rows, cols } = re.a;
  return [
    { ...re, a: made(re.a, rows, cols, (i, j) => -sign(j) * at(im.a, i, j)) },
    { ...im, a: made(re.a, rows, cols, (i, j) => sign(j) * at(re.a, i, j)) },
  ];
}

/** Returns the factors of the product of full matrices. */
export const fullFactors = (gemm: Gemm): Pick<Gemm, 'alpha' | 'beta' | 'imaginary'> =>
  isTurned(gemm)
    ? { alpha: gemm.imaginary?.alpha ?? 0, beta: gemm.beta, imaginary: undefined }
    : { alpha: gemm.alpha, beta: gemm.beta, imaginary: gemm.imaginary };

/** Returns a part of the operands that a kernel gets, of a part of the full ones. */
export function storedOperands(gemm: Gemm, operands: Operands, part: Part): Operands {
  const structure = structureOf(gemm);
  if (structure?.second === undefined) return operands;
  const { b } = operands;
  if (structure.second === 'itself') return { ...operands, b: made(b, 0, 0, () => 0) };
  const { m, k } = gemm;
  const sign = signOf(structure, part);
  const half = (from: number) => made(b, m, k, (i, q) => sign * at(b, from + q, i));
  return { ...operands, a: half(k), b: half(0) };
}

/** Returns true for the entries of a matrix that its memory holds; undefined if it holds all. */
export type EntryTest = (i: number, j: number) => boolean;

/**
 * Returns the entries of a matrix that a kernel may read, or of D that it must write; undefined for all. Imaginary parts of real diagonals
 * and unit diagonals are not read. D's diagonal is written even where it is real.
 */
export function heldEntries(gemm: Gemm, name: 'a' | 'b' | 'c' | 'd', part: Part): EntryTest | undefined {
  const structure = structureOf(gemm);
  if (structure === undefined) return undefined;
  const { reads, writes, isHermitian } = structure;
  const isReal = isHermitian && part === 1;
  if (name === reads?.of) {
    const triangle = triangleAfterOp(reads, gemm[reads.of].op);
    return (i, j) => isInTriangle(triangle, i, j) && !(i === j && (reads.isUnit || isReal));
  }
  if (writes === undefined || name === 'a' || name === 'b') return undefined;
  // With nothing to add and a beta of 1, BLAS leaves C as it is, imaginary parts included.
  const isLeft = !readsFactors(gemm) && gemm.beta === 1;
  const isIgnored = name === 'c' && isReal && !isLeft;
  return (i, j) => isInTriangle(writes, i, j) && !(i === j && isIgnored);
}

/** Fills the triangle of D that is not written with the other one, in place. In a general product it stays 0. */
export function mirrorResult(gemm: Gemm, entries: Entries, part: Part): void {
  const structure = structureOf(gemm);
  if (structure?.writes === undefined) return;
  const { n } = gemm;
  const sign = structure.second === undefined ? 0 : signOf(structure, part);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      if (!isInTriangle(structure.writes, i, j))
        entries[i * n + j] = sign === 0 ? 0 : sign * entries[j * n + i];
}

/**
 * True if each term of the diagonal occurs twice, as a·b and b·a: in both products of A and B, and in imaginary parts of the squares of a
 * complex A. Both are rounded alike, so errors add up.
 */
export function repeatsTerms(gemm: Gemm): boolean {
  const { second, isHermitian } = structureOf(gemm) ?? {};
  return second === 'swapped' || (second === 'itself' && gemm.entries !== undefined && !isHermitian);
}

/** True if a triangle of D cannot be told from the other one. */
export const leavesTriangle = (gemm: Gemm): boolean => {
  const structure = structureOf(gemm);
  return structure?.writes !== undefined && structure.second === undefined;
};
