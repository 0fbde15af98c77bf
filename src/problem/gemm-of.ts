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
import { drawAddresses } from '../matrix/members.ts';
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
  const laid = (
    name: 'a' | 'b' | 'c' | 'd',
    { op: said, order, inc = 1, pad, offset, gap }: Storage,
    extent: { rows: number; cols: number },
  ): MatrixLayout => {
    // The conjugate transpose of real entries is the transpose.
    const op = said === 'c' && !ofComplex ? 't' : said;
    const { lines, entries } = storedLinesOf({ op, order }, extent);
    const line = leastLine(entries, inc);
    const own = { op, order, offset, ...(inc === 1 ? {} : { inc }) };
    if (gap === 'interleaved') return { ...own, ld: Math.max(1, batch) * line + pad, stride: line };
    const ld = line + pad;
    const stride = gap === 'same' ? 0 : lines * ld + (gap === 'listed' ? 0 : gap);
    return gap === 'listed' && batch > 1
      ? { ...own, ld, stride, addresses: drawAddresses(problem, name, stride, offset) }
      : { ...own, ld, stride };
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
