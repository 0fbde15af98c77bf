import { readChain } from '../epilogue/chain-text.ts';
import { formatFactor, imaginaryPart } from '../matrix/factor.ts';
import { batchLengthOf, extentsOf } from '../matrix/gemm.ts';
import { isComplex } from '../precision/precisions.ts';
import { MOST_ADDRESSES } from './addresses.ts';
import { type Case, formatCase } from './case.ts';
import { whyUnfit } from './fit-structure.ts';
import { toGemm } from './gemm-of.ts';
import { notServed } from './messages.ts';
import { formatStorage } from './problem.ts';
import { whyNoEpilogue } from './why-no-epilogue.ts';

/** Most entries of A, B, C or D in memory: the limit of typed arrays. */
const MOST_ENTRIES = 2 ** 32;

/**
 * Returns the reason why the product of a case is impossible, as a clause. Undefined if it is possible. Limits of the kernel are not
 * checked here.
 */
export function whyImpossible(value: Case): string | undefined {
  const { a, b, c, d, batch, alpha, beta, epilogue } = value.problem;
  const unfit = whyNoEpilogue(readChain(epilogue), value.problem) ?? whyUnfit(value.problem);
  if (unfit !== undefined) return unfit;
  const conjugated = Object.entries({ a, b }).find(([, { op }]) => op === 'c');
  if (conjugated !== undefined && !isComplex(value.problem.precision))
    return `entries are real: of ${conjugated[0]}=${formatStorage(conjugated[1])} take t in place of c`;
  const factor = Object.entries({ alpha, beta }).find(([, x]) => imaginaryPart(x) !== 0);
  if (factor !== undefined && !isComplex(value.problem.precision))
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
  const gemm = toGemm(value.problem);
  const extents = extentsOf(gemm);
  for (const name of ['a', 'b', 'c', 'd'] as const) {
    const all = batchLengthOf(gemm[name], extents[name], batch);
    if (all <= MOST_ENTRIES) continue;
    const most = Math.floor(Math.sqrt(MOST_ENTRIES / (gemm[name].stride === 0 ? 1 : batch)));
    return `${name.toUpperCase()} would take ${all} entries, and 2^32 is the most: square matrices fit up to n = ${most}`;
  }
  return undefined;
}

/** Refuses an impossible case. @throws ParanoiaError `not-served` */
export function requirePossible(value: Case): void {
  const why = whyImpossible(value);
  if (why !== undefined) throw notServed({ given: formatCase(value), why });
}
