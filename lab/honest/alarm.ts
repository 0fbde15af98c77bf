import { allowedSigmas, allowedTypical } from '../../src/evidence/checks/sigma.ts';

/**
 * The chance that the check `sigma` fails an honest product, at most: the sum of that of each entry to exceed T sigmas and that
 * of their root mean square to exceed its limit, under one of three assumptions.
 */
export interface Alarm {
  /** Rounding errors are of mean zero whatever came before, and of at most u·|v|; sums have the sizes that are expected. */
  readonly bounded: number;
  /** They are uniform besides, between any ends within ±u·|v|. */
  readonly uniform: number;
  /** Uniform, and the sizes of partial sums vary as those of random terms do, added one after the other; of the worst entry alone. */
  readonly varying: number;
}

export const NO_ALARM: Alarm = { bounded: 0, uniform: 0, varying: 0 };

/** @param threshold the limit `sigmas`, in the worst of few entries. */
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
 * The chance that a sum of errors, |e_i| ≤ b_i, exceeds t·√Σb_i² in magnitude, at most: Hoeffding, *Probability inequalities for
 * sums of bounded random variables* (1963), Theorem 2, for ranges of 2b_i; where only the mean of each given those before is
 * zero, Azuma 1967. Higham and Mary (2019) and Connolly, Higham and Mary (2021) take rounding errors so. Where errors are
 * uniform on [−b, b], E exp(λe) = sinh(λb)/(λb) ≤ exp(λ²b²/6), term by term of the series, since (2n + 1)! ≥ 6ⁿ·n!: as if
 * t were √3 times as large.
 */
export const beyondOfBounded = (t: number): number => 2 * Math.exp(-t * (t / 2));

/**
 * The chance that the root mean square of n such sums, independent of each other and each over its own √Σb_i², exceeds r at
 * most: P(Σz² ≥ n + 2√(n·x) + 2x) ≤ exp(−x) (Laurent and Massart, *Adaptive estimation of a quadratic functional by model
 * selection*, 2000, Lemma 1), which holds wherever E exp(λz) ≤ exp(λ²/2) (Hsu, Kakade, Zhang, *A tail inequality for quadratic
 * forms of subgaussian random vectors*, 2012, Theorem 1).
 */
export function meanSquareBeyond(r: number, n: number): number {
  if (!(r > 1)) return 1;
  // With y = √(x/n): 2y² + 2y = r² − 1.
  const y = (Math.sqrt(2 * r * r - 1) - 1) / 2;
  return Math.exp(-n * y * y);
}

/**
 * The chance that the error of one entry exceeds t sigmas, at most, where its terms are added one after the other, their signs are
 * random, and errors uniform. Given the sum c·√Q of its terms, Q = Σx²y², partial sums are a bridge, √Q·(B(s) + c·s) in the
 * limit of many terms. Given them too, the error is a sum of bounded ones, E exp(λe/σ) ≤ exp(λ²V/6), with V = ∫(B + c·s)²ds/D and the reader's
 * D = 1/2 + max(0, c² − 1)/3. By the bridge's sine series, of independent normal numbers of variance 1/(nπ)²,
 *
 *     E exp(z²·V·D/2) = √(z/sin z)·exp(c²·(1 − z·cot z)/2),   z² = λ²/(3D) < π²,
 *
 * and so P ≤ 2·exp(−λt)·that, for the best λ and the worst c. This tail is exponential: an entry whose partial sums happen to be
 * large has large errors.
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
