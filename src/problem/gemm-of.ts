import { createRandom } from '../base/random.ts';
import { NO_EPILOGUE, readChain } from '../epilogue/chain-text.ts';
import {
  type ComplexEntries,
  extentsOf,
  type Gemm,
  type GemmChain,
  leastLine,
  type MatrixLayout,
  scalingOf,
  storedLinesOf,
} from '../matrix/gemm.ts';
import { GENERAL } from '../matrix/structure.ts';
import { fullFactors, fullInnerSize } from '../matrix/structured-operands.ts';
import { isComplex } from '../precision/precisions.ts';
import { type GemmProblem, plainStorage, type Storage } from './problem.ts';

/** Converts a problem to the request of a kernel, in leading dimensions and strides. */
export const toGemm = (problem: GemmProblem): Gemm => ({
  ...laidOut(problem),
  ...(problem.structure === GENERAL ? {} : { structure: problem.structure }),
});

/**
 * Returns the real product that is judged, with the request of the kernel where that differs: for complex entries, whose parts lie as
 * entries of a real matrix of its size would, and for structured operands, of which the full matrices are dense.
 * @param entries memory layout of the kernel's complex entries; undefined for real ones.
 */
export function judgedGemm(problem: GemmProblem, entries?: ComplexEntries): Gemm {
  const asked = toGemm(problem);
  const full = problem.structure === GENERAL ? problem : { ...problem, ...fullProblem(asked) };
  const { m, k } = full;
  if (entries !== undefined)
    return {
      ...laidOut({ ...full, m: 2 * m, k: 2 * k }, true),
      ...fullFactors(asked),
      complex: { ...asked, entries },
    };
  return full === problem ? asked : { ...laidOut(full, true), structured: asked };
}

/** Returns the fields in which the product of full matrices differs from a structured one. */
const fullProblem = (asked: Gemm): Partial<GemmProblem> => ({
  ...{ structure: GENERAL, k: fullInnerSize(asked) },
  ...{ a: plainStorage, b: plainStorage, c: plainStorage, d: undefined },
});

/** @param isReal true for the real product that stands for one of complex entries. */
function laidOut(problem: GemmProblem, isReal = false): Gemm {
  const { m, k, n, batch, group, structure } = problem;
  const chain = chainOf(problem);
  const ofComplex = !isReal && isComplex(problem.precision);
  const scaling = scalingOf(problem);
  const extents = extentsOf({ m, k, n, structure, chain });
  const laid = (name: 'a' | 'b' | 'c' | 'd', storage: Storage, extent: { rows: number; cols: number }) => {
    const own = laidAs(storage, extent, batch, ofComplex);
    return storage.gap === 'listed' && batch > 1
      ? { ...own, addresses: drawAddresses(problem, name, own.stride, own.offset) }
      : own;
  };
  const c = laid('c', problem.c, problem.d === undefined ? extents.d : extents.c);
  const d = problem.d === undefined ? c : laid('d', problem.d, extents.d);
  const [a, b] = [laid('a', problem.a, extents.a), laid('b', problem.b, extents.b)];
  return { ...{ m, k, n, batch, group }, ...scaling, a, b, c, d, ...(chain && { chain }) };
}

/** Returns the epilogue of a product; undefined if it has none. */
function chainOf({ epilogue, n }: Pick<GemmProblem, 'epilogue' | 'n'>): GemmChain | undefined {
  if (epilogue === NO_EPILOGUE) return undefined;
  const { text, gates, codes } = readChain(epilogue);
  return { text, columns: n / 2 ** gates, ...(codes !== undefined && { codes }) };
}

function laidAs(
  { op: said, order, inc = 1, pad, offset, gap }: Storage,
  extent: { rows: number; cols: number },
  batch: number,
  ofComplex: boolean,
): MatrixLayout {
  // The conjugate transpose of real entries is the transpose.
  const op = said === 'c' && !ofComplex ? 't' : said;
  const { lines, entries } = storedLinesOf({ op, order }, extent);
  const line = leastLine(entries, inc);
  const own = { op, order, offset, ...(inc === 1 ? {} : { inc }) };
  if (gap === 'interleaved') return { ...own, ld: Math.max(1, batch) * line + pad, stride: line };
  const ld = line + pad;
  return { ...own, ld, stride: gap === 'same' ? 0 : lines * ld + (gap === 'listed' ? 0 : gap) };
}

/** Most addresses of a list. */
export const MOST_ADDRESSES = 4096;
/** A stream that no family draws from; each matrix has the one behind that of the matrix before. */
const STREAM = 3200;
/** One in this many operands is that of an earlier product. */
const SHARED = 4;
/** Most entries between two matrices in memory. */
const BETWEEN = 9;

/**
 * Draws the addresses of the matrices of a batch: in any order in memory, with gaps of unequal lengths. Some of A and B are shared by
 * products; seed and batch alone decide which.
 * @param length entries that a matrix takes.
 */
function drawAddresses(
  { seed, batch }: Pick<GemmProblem, 'seed' | 'batch'>,
  name: 'a' | 'b' | 'c' | 'd',
  length: number,
  offset: number,
): readonly number[] {
  const random = createRandom(seed, STREAM + ['a', 'b', 'c', 'd'].indexOf(name));
  const isShared = (p: number) => p > 0 && (name === 'a' || name === 'b') && random.int(1, SHARED) === 1;
  const sources = Array.from({ length: batch }, (_, p) => (isShared(p) ? random.int(0, p - 1) : p));
  const addresses: number[] = [];
  let at = offset;
  for (const p of random.permutation(batch)) {
    at += random.int(1, BETWEEN);
    addresses[p] = at;
    at += length;
  }
  sources.forEach((source, p) => {
    addresses[p] = addresses[source];
  });
  return addresses;
}
