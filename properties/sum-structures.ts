import { seeded } from '../src/base/random.ts';
import type { Shape } from '../src/matrix/dense.ts';
import { sequence } from './inspect-kernels.ts';

/** Ways to add up the terms of an entry, whose every rounding is known; in binary32 unless said otherwise. */

const single = Math.fround;
const double = (x: number) => x;

export const chunksOf = (terms: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.ceil(terms.length / size) }, (_, at) => terms.slice(at * size, at * size + size));

const lanesOf = (terms: readonly number[], count: number): number[][] =>
  Array.from({ length: count }, (_, lane) => terms.filter((_, at) => at % count === lane));

const backwards = (terms: readonly number[]): number[] => [...terms].reverse();

export const pairwise = (terms: readonly number[]): number => {
  if (terms.length <= 1) return terms[0] ?? 0;
  const middle = terms.length >> 1;
  return single(pairwise(terms.slice(0, middle)) + pairwise(terms.slice(middle)));
};

/** W. Kahan, *Further remarks on reducing truncation errors*, CACM 8 (1965). */
function kahan(terms: readonly number[]): number {
  let [sum, lost] = [0, 0];
  for (const term of terms) {
    const x = single(term - lost);
    const next = single(sum + x);
    lost = single(single(next - sum) - x);
    sum = next;
  }
  return sum;
}

/** A. Neumaier's variant (ZAMM 54, 1974): what is lost is added at the end. */
function neumaier(terms: readonly number[]): number {
  let [sum, lost] = [0, 0];
  for (const x of terms) {
    const next = single(sum + x);
    const rest =
      Math.abs(sum) >= Math.abs(x) ? single(single(sum - next) + x) : single(single(x - next) + sum);
    lost = single(lost + rest);
    sum = next;
  }
  return single(sum + lost);
}

/** The order of a permutation that is drawn once. */
const drawn = (count: number) => seeded(7, count).permutation(count);
const permuted = (terms: readonly number[]): number[] => [...drawn(terms.length)].map((at) => terms[at]);

type Sum = (terms: number[], shape: Shape) => number;

export const structures = {
  sequential: (terms) => sequence(terms),
  backwards: (terms) => sequence(backwards(terms)),
  pairwise,
  'blocks of 4': (terms) => sequence(chunksOf(terms, 4).map((x) => sequence(x))),
  'blocks of 8': (terms) => sequence(chunksOf(terms, 8).map((x) => sequence(x))),
  'blocks of 32': (terms) => sequence(chunksOf(terms, 32).map((x) => sequence(x))),
  'blocks of 8, each from its end': (terms) =>
    sequence(chunksOf(terms, 8).map((x) => sequence(backwards(x)))),
  'blocks of 8, from the last': (terms) => sequence(backwards(chunksOf(terms, 8).map((x) => sequence(x)))),
  '4 lanes': (terms) => pairwise(lanesOf(terms, 4).map((x) => sequence(x))),
  '8 lanes': (terms) => sequence(lanesOf(terms, 8).map((x) => sequence(x))),
  '8 lanes, each from its end': (terms) => sequence(lanesOf(terms, 8).map((x) => sequence(backwards(x)))),
  '4 parts': (terms) => pairwise(chunksOf(terms, Math.ceil(terms.length / 4)).map((x) => sequence(x))),
  kahan,
  neumaier,
  'in binary64': (terms) => single(sequence(terms, double)),
  'binary64 in chunks of 8': (terms) => sequence(chunksOf(terms, 8).map((x) => single(sequence(x, double)))),
  'binary64, rounded after every 8': (terms) =>
    chunksOf(terms, 8).reduce((sum, x) => single(sequence([sum, ...x], double)), 0),
  'blocks of 8 in binary64': (terms) =>
    single(
      sequence(
        chunksOf(terms, 8).map((x) => sequence(x)),
        double,
      ),
    ),
  'Kahan over blocks of 8': (terms) => kahan(chunksOf(terms, 8).map((x) => sequence(x))),
  'Kahan in blocks of 8': (terms) => sequence(chunksOf(terms, 8).map(kahan)),
  permuted: (terms) => sequence(permuted(terms)),
  'pairwise, permuted': (terms) => pairwise(permuted(terms)),
  'pairwise from 256': (terms) => (terms.length < 256 ? sequence(terms) : pairwise(terms)),
} as const satisfies Record<string, Sum>;
