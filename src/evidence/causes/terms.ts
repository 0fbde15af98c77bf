import type { Cause, EntryPrediction, Prediction, WrongProductScene } from './cause.ts';
import { listPowersOfTwo } from './cause.ts';

/** A range of terms of k. */
interface Terms {
  readonly from: number;
  readonly to: number;
  readonly step?: number;
}

/** Returns the product plus `times` times some of its terms; −1 leaves them out. */
function changedBy(scene: WrongProductScene, times: number, { from, to, step = 1 }: Terms): EntryPrediction {
  const { a, b, expected, gemm } = scene;
  return (i, j, p) => {
    let sum = 0;
    for (let q = from; q < to; q += step) sum += a(i, q, p) * b(q, j, p);
    const whole = expected(i, j, p);
    if (Number.isFinite(whole)) return whole + times * gemm.alpha * sum;
    return times < 0 ? without(scene, { from, to, step }, i, j, p) : whole + times * gemm.alpha * sum;
  };
}

/** Sums the remaining terms, for lost terms that are not finite. */
function without(
  { a, b, c, gemm }: WrongProductScene,
  { from, to, step = 1 }: Terms,
  i: number,
  j: number,
  p: number,
) {
  const isLost = (q: number) => q >= from && q < to && (q - from) % step === 0;
  let sum = 0;
  for (let q = 0; q < gemm.k; q++) if (!isLost(q)) sum += a(i, q, p) * b(q, j, p);
  return gemm.alpha * sum + (gemm.beta === 0 ? 0 : gemm.beta * c(i, j, p));
}

const reads = ({ gemm: { alpha, k } }: WrongProductScene) => alpha !== 0 && k > 0;

/** Numbers of last terms of k that may be lost: small ones, whole steps, and remainders of k by a step. */
const tailsOf = (k: number): number[] => [
  ...new Set([1, 2, 3, 4, 8, 16, 32, 64, ...listPowersOfTwo(4, 256).map((step) => k % step)]),
];

const lostTail: Cause = {
  name: 'last-terms-lost',
  *predict(scene) {
    const { k } = scene.gemm;
    if (!reads(scene)) return;
    for (const lost of tailsOf(k)) {
      if (lost < 1 || lost >= k) continue;
      const says = lost === 1 ? 'the last term of k is missing' : `the last ${lost} terms of k are missing`;
      yield { says, entry: changedBy(scene, -1, { from: k - lost, to: k }) };
    }
  },
};

const lostHead: Cause = {
  name: 'first-terms-lost',
  *predict(scene) {
    const { k } = scene.gemm;
    if (!reads(scene)) return;
    for (const lost of [1, ...listPowersOfTwo(2, 64)]) {
      if (lost >= k) continue;
      const says = lost === 1 ? 'the first term of k is missing' : `the first ${lost} terms of k are missing`;
      yield { says, entry: changedBy(scene, -1, { from: 0, to: lost }) };
    }
  },
};

/** The largest block of terms that is searched anywhere in k. */
const LARGEST_BLOCK = 512;

/** Single terms, and blocks of a tile along k, wherever they lie: missing, or added `times` more times. */
const somewhere = (name: string, times: number, how: string): Cause => ({
  name,
  *predict(scene) {
    const { k } = scene.gemm;
    if (!reads(scene)) return;
    for (const size of listPowersOfTwo(1, LARGEST_BLOCK)) {
      for (let from = 0; from < k; from += size) {
        const to = Math.min(k, from + size);
        // Lost ends, and all terms at once, have causes of their own.
        const isEnd = from === 0 || to === k;
        if (isEnd && (times < 0 || to - from === k)) continue;
        const which = to - from === 1 ? `term ${from} of k is` : `terms ${from}…${to - 1} of k are`;
        yield { says: `${which} ${how}`, entry: changedBy(scene, times, { from, to }) };
      }
    }
  },
});

const everySo: Cause = {
  name: 'every-nth-term-lost',
  *predict(scene) {
    const { k } = scene.gemm;
    if (!reads(scene)) return;
    for (const step of listPowersOfTwo(2, 16)) {
      for (let from = 0; from < step && from + step < k; from++) {
        const says = `term ${from} of every ${step} terms of k is missing`;
        yield { says, entry: changedBy(scene, -1, { from, to: k, step }) };
      }
    }
  },
};

const startsAgain: Cause = {
  name: 'inner-index-wraps',
  *predict(scene) {
    const { a, b, c, gemm } = scene;
    const { alpha, beta, k } = gemm;
    if (!reads(scene)) return;
    const wrapping = (after: number, inA: boolean, inB: boolean): EntryPrediction => {
      return (i, j, p) => {
        let sum = 0;
        for (let q = 0; q < k; q++) sum += a(i, inA ? q % after : q, p) * b(inB ? q % after : q, j, p);
        return alpha * sum + (beta === 0 ? 0 : beta * c(i, j, p));
      };
    };
    for (const after of listPowersOfTwo(2, k - 1)) {
      for (const [of, inA, inB] of [
        ['', true, true],
        [' of A', true, false],
        [' of B', false, true],
      ] as const) {
        const says = `the index over k${of} restarted after ${after} terms`;
        yield { says, entry: wrapping(after, inA, inB) } satisfies Prediction;
      }
    }
  },
};

/** Mistakes in the choice of terms that are summed. */
export const termCauses: readonly Cause[] = [
  lostTail,
  lostHead,
  somewhere('terms-lost', -1, 'missing'),
  somewhere('terms-twice', 1, 'counted twice'),
  everySo,
  startsAgain,
];
