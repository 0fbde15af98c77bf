import { readChain } from '../epilogue/chain-text.ts';
import { formatFactor, imaginaryPart } from '../matrix/factor.ts';
import { batchLengthOf, extentsOf, type Gemm } from '../matrix/gemm.ts';
import { MOST_ADDRESSES } from '../matrix/members.ts';
import { isComplex } from '../precision/precisions.ts';
import { type Case, formatCase } from './case.ts';
import { whyUnfit } from './fit-structure.ts';
import { toGemm } from './gemm-of.ts';
import { notServed } from './messages.ts';
import { formatStorage, type GemmProblem } from './problem.ts';
import { whyNoEpilogue } from './why-no-epilogue.ts';

/** Most entries of A, B, C or D in memory: the limit of typed arrays. */
const MOST_ENTRIES = 2 ** 32;

/**
 * Returns the reason why the product of a case is impossible, as a clause. Undefined if it is possible. Limits of the kernel are not
 * checked here.
 */
export const whyImpossible = (value: Case): string | undefined =>
  whyContradictory(value.problem) ?? whyTooLarge(toGemm(value.problem));

/** Explains which fields of a problem exclude each other, as a clause; undefined where none do. */
function whyContradictory(problem: GemmProblem): string | undefined {
  const { a, b, c, d, batch, alpha, beta, epilogue } = problem;
  const unfit = whyNoEpilogue(readChain(epilogue), problem) ?? whyUnfit(problem);
  if (unfit !== undefined) return unfit;
  const conjugated = Object.entries({ a, b }).find(([, { op }]) => op === 'c');
  if (conjugated !== undefined && !isComplex(problem.precision))
    return `entries are real: of ${conjugated[0]}=${formatStorage(conjugated[1])} take t in place of c`;
  const factor = Object.entries({ alpha, beta }).find(([, x]) => imaginaryPart(x) !== 0);
  if (factor !== undefined && !isComplex(problem.precision))
    return `entries are real: ${factor[0]}=${formatFactor(factor[1])} takes a precision of complex ones, such as c32`;
  const result = Object.entries({ c, d }).find(([, storage]) => storage !== undefined && storage.op !== 'n');
  if (result?.[1] !== undefined)
    return `${result[0]} has no op: leave out ${result[1].op}, as in ${result[0]}=n+3`;
  const target = d ?? c;
  if (target.gap === 'same' && batch > 1)
    return `the products of a batch cannot all be written to one place: ${d === undefined ? 'c' : 'd'}=${formatStorage(target)}`;
  const listed = Object.entries({ a, b, c, d }).find(([, storage]) => storage?.gap === 'listed');
  if (listed !== undefined && batch > MOST_ADDRESSES)
    return `a list has at most ${MOST_ADDRESSES} addresses: ${listed[0]} has ${batch}`;
  return undefined;
}

/** Explains which matrix of a product takes too much memory, as a clause; undefined where none does. */
function whyTooLarge(gemm: Gemm): string | undefined {
  const { batch } = gemm;
  const extents = extentsOf(gemm);
  for (const name of ['a', 'b', 'c', 'd'] as const) {
    const all = batchLengthOf(gemm[name], extents[name], batch);
    if (all <= MOST_ENTRIES) continue;
    const most = Math.floor(Math.sqrt(MOST_ENTRIES / (gemm[name].stride === 0 ? 1 : batch)));
    return `${name.toUpperCase()} would take ${all} entries, and 2^32 is the most: square matrices fit up to n = ${most}`;
  }
  return undefined;
}

/** Refuses an impossible case. @returns its product @throws ParanoiaError `not-served` */
export function requirePossible(value: Case): Gemm {
  const refuse = (why: string) => notServed({ given: formatCase(value), why });
  const contradiction = whyContradictory(value.problem);
  if (contradiction !== undefined) throw refuse(contradiction);
  const gemm = toGemm(value.problem);
  const why = whyTooLarge(gemm);
  if (why !== undefined) throw refuse(why);
  return gemm;
}
