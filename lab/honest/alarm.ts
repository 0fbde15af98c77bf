import { allowedSigmas, allowedTypical } from '../../src/evidence/checks/sigma.ts';

/**
 * Upper bounds on the probability that the check `sigma` fails a correct product, under three assumptions. The probability that
 * some entry exceeds T sigmas is added to the probability that the root mean square exceeds its limit.
 */
export interface Alarm {
  /** Rounding errors have conditional mean zero and are at most u·|v|; sums have their expected sizes. */
  readonly bounded: number;
  /** Besides, they are uniform, between any ends within ±u·|v|. */
  readonly uniform: number;
  /** Besides, sizes of partial sums vary as those of sequential sums of random terms do; for the worst entry alone. */
  readonly varying: number;
}

export const NO_ALARM: Alarm = { bounded: 0, uniform: 0, varying: 0 };

/** Bounds the probability. @param threshold the limit `sigmas` for the worst of few entries */
export function alarmOf(threshold: number, entries: number): Alarm {
  if (entries === 0) return NO_ALARM;
  const most = allowedSigmas(threshold, entries);
  const typical = allowedTypical(threshold, entries);
  const bounded = entries * beyondOfBounded(most) + meanSquareBeyond(typical, entries);
  const uniform =
    entries * beyondOfBounded(Math.sqrt(3) * most) + meanSquareBeyond(Math.sqrt(3) * typical, entries);
  return { bounded, uniform, varying: entries * beyondOfVarying(most) };
}

/**
 * Bounds the probability that a sum of errors, |e_i| ≤ b_i, exceeds t·√Σb_i² in magnitude. Source: Hoeffding, *Probability
 * inequalities for sums of bounded random variables* (1963), Theorem 2, for ranges of 2b_i; if only conditional means are zero,
 * Azuma 1967. Higham and Mary (2019) and Connolly, Higham and Mary (2021) model rounding errors this way. If errors are uniform
 * on [−b, b], E exp(λe) = sinh(λb)/(λb) ≤ exp(λ²b²/6), term by term of the series, since (2n + 1)! ≥ 6ⁿ·n!: as if t were √3 times
 * as large.
 */
export const beyondOfBounded = (t: number): number => 2 * Math.exp(-t * (t / 2));

/**
 * Bounds the probability that the root mean square of n such sums exceeds r. The sums are independent, each divided by its own
 * √Σb_i². The bound is P(Σz² ≥ n + 2√(n·x) + 2x) ≤ exp(−x) (Laurent and Massart, *Adaptive estimation of a quadratic functional
 * by model selection*, 2000, Lemma 1), which holds wherever E exp(λz) ≤ exp(λ²/2) (Hsu, Kakade, Zhang, *A tail inequality for
 * quadratic forms of subgaussian random vectors*, 2012, Theorem 1).
 */
export function meanSquareBeyond(r: number, n: number): number {
  if (!(r > 1)) return 1;
  // With y = √(x/n): 2y² + 2y = r² − 1.
  const y = (Math.sqrt(2 * r * r - 1) - 1) / 2;
  return Math.exp(-n * y * y);
}

/**
 * Bounds the probability that the error of one entry exceeds t sigmas. Its terms are added sequentially, their signs are random,
 * and errors are uniform. Given the sum c·√Q of its terms, Q = Σx²y², partial sums are a bridge, √Q·(B(s) + c·s) in the
 * limit of many terms. Given them too, the error is a sum of bounded ones, E exp(λe/σ) ≤ exp(λ²V/6), with V = ∫(B + c·s)²ds/D and the reader's
 * D = 1/2 + max(0, c² − 1)/3. By the bridge's sine series, of independent normal numbers of variance 1/(nπ)²,
 *
 *     E exp(z²·V·D/2) = √(z/sin z)·exp(c²·(1 − z·cot z)/2),   z² = λ²/(3D) < π²,
 *
 * so P ≤ 2·exp(−λt) times this expectation, for the best λ and the worst c. This tail is exponential: an entry whose partial sums
 * happen to be large has large errors.
 */
export function beyondOfVarying(t: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let square = 0; square <= 9; square += 1 / 16) {
    const rate = Math.sqrt(3 * (1 / 2 + Math.max(0, square - 1) / 3));
    let best = 0;
    for (let z = 1 / 64; z < Math.PI; z += 1 / 64) {
      const log = Math.log(z / Math.sin(z)) / 2 + (square * (1 - z / Math.tan(z))) / 2;
      best = Math.max(best, rate * z * t - log);
    }
    least = Math.min(least, best);
  }
  return 2 * Math.exp(-least);
}
