import { OURS } from '../../../base/registry.ts';
import type { WeighedEpilogue } from '../weigh-epilogue.ts';
import type { EpilogueCause } from './cause.ts';

/** Numbers of terms that are lost at an end of k: single ones, and remainders of steps. */
const countsOf = (k: number): number[] => {
  const steps = [4, 8, 16, 32, 64];
  return [...new Set([1, 2, 3, ...steps, ...steps.map((step) => k % step)])].filter(
    (count) => count > 0 && count < k,
  );
};

/** Returns minus alpha times a range of the terms of an entry. */
const withoutTerms =
  ({ evidence: { gemm, operands } }: WeighedEpilogue, from: number, to: number) =>
  (i: number, j: number): number => {
    const { a, b } = operands;
    const { m, k, alpha } = gemm;
    const p = Math.floor(i / m);
    const [row, first] = [a.rows > m ? i : i % m, b.rows > k ? p * k : 0];
    let sum = 0;
    for (let q = from; q < to; q++) sum += a.data[row * a.cols + q] * b.data[(first + q) * b.cols + j];
    return -alpha * sum;
  };

const lost: EpilogueCause = {
  ...{ name: 'epilogue-terms-lost', what: 'terms at an end of k were left out', source: OURS },
  *alter(weighed) {
    const { epilogue, evidence } = weighed;
    const { k } = evidence.gemm;
    for (const count of countsOf(k))
      for (const [end, from] of [
        ['last', k - count],
        ['first', 0],
      ] as const)
        yield {
          says:
            count === 1 ? `the ${end} term of k is missing` : `the ${end} ${count} terms of k are missing`,
          epilogue,
          added: withoutTerms(weighed, from, from + count),
        };
  },
};

/** Mistakes in the sums before the epilogue. */
export const sumCauses: readonly EpilogueCause[] = [lost];
