import { upperTail } from '../../evidence/normal-tail.ts';

/**
 * Returns the probability that the studentized range of `means` means exceeds q. It is the upper tail itself, so that nothing cancels. With
 * the tail T of the range of normal numbers ({@link tailOfRange}) and s, the root of a χ² of `dof` degrees of freedom over `dof`, it is the
 * mean of T(q·s). In x = ln s the density of s is proportional to exp(dof·(x − (e^2x − 1)/2)). Dividing by its own integral avoids the
 * gamma function, whose logarithm cancels where there are many degrees of freedom. Relative error at most 1e-8, measured against other
 * integrals down to 1e-12; below about 1e-250 it is 0.
 * @param means at least 2.
 * @param dof above 0, not necessarily whole; infinite where the variance is known.
 */
export function tailOfStudentizedRange(q: number, means: number, dof: number): number {
  if (q === 0) return 1;
  if (q === Number.POSITIVE_INFINITY) return 0;
  // Above this, the mean over s differs from T(q) by a relative error of less than q⁴/dof.
  if (dof > 1e12) return tailOfRange(q, means);
  const logDensity = (x: number) => dof * (x - Math.expm1(2 * x) / 2);
  const logTail = (x: number) => logDensity(x) + Math.log(tailOfRange(q * Math.exp(x), means));
  const width = 1 / Math.sqrt(2 * dof);
  const all = peakedIntegral(logDensity, 0, width);
  // T falls. So the peak of the product lies below that of the density, and above the region where T is still nearly 1.
  const peak = peakOf(logTail, [Math.min(0, -Math.log(q)) - 2 - width, 0], width / 4);
  const some = peakedIntegral(logTail, peak, width);
  return Math.min(1, Math.exp(some.log - all.log) * (some.sum / all.sum));
}

/**
 * Returns the probability T that the range of so many independent standard normal numbers exceeds w. With z the least of them, T is
 * n·∫φ(z)·(Q(z)^(n−1) − (Q(z) − Q(z+w))^(n−1))dz, a sum of positive terms.
 */
export function tailOfRange(w: number, means: number): number {
  if (w > FARTHEST) return 0;
  const term = (z: number) => {
    const [above, beyond] = [upperTail(z), upperTail(z + w)];
    // Because of rounding, Q may rise a little.
    const others = -Math.expm1((means - 1) * Math.log1p(-Math.min(1, beyond / above)));
    return Math.exp((-z * z) / 2) * above ** (means - 1) * others;
  };
  // Symmetric extremes, ±w/2, are the likeliest.
  const sum = trapezoids(term, -w / 2 - REACH, -w / 2 + REACH);
  return Math.min(1, (means * sum) / Math.sqrt(2 * Math.PI));
}

/** Range beyond which T underflows: T falls as exp(−w²/4). */
const FARTHEST = 60;
/** Distance from its peak at which the density of the least number is below 1e-15 of the peak. */
const REACH = 9;
/** Logarithm of the part of a peak that is left out of its integral. */
const LEFT_OUT = -38;

/** Logarithm below which a value counts as 0, since T would lose its digits to underflow. */
const VANISHED = -600;

/** Integrates exp(log) around its only peak, as sum·exp(log). */
function peakedIntegral(log: (x: number) => number, peak: number, width: number) {
  const top = log(peak);
  if (top < VANISHED) return { log: top, sum: 0 };
  const endOf = (direction: number) => {
    let step = direction * width;
    while (log(peak + step) - top > LEFT_OUT) step *= 1.25;
    return peak + step;
  };
  return { log: top, sum: trapezoids((x) => Math.exp(log(x) - top), endOf(-1), endOf(1)) };
}

/** Finds the maximum of a function with a single one, to within `near`. */
function peakOf(f: (x: number) => number, [from, to]: readonly [number, number], near: number): number {
  let [low, high] = [from, to];
  while (high - low > near) {
    const [one, other] = [low + (high - low) / 3, high - (high - low) / 3];
    if (f(one) < f(other)) low = one;
    else high = other;
  }
  return (low + high) / 2;
}

/**
 * Integrates an analytic function that vanishes at both ends, by the trapezoidal rule, with halved widths until two sums agree. The error
 * falls exponentially: L. N. Trefethen and J. A. C. Weideman, "The exponentially convergent trapezoidal rule", SIAM Review 56 (2014),
 * theorem 5.1.
 */
function trapezoids(f: (x: number) => number, from: number, to: number): number {
  const sumFrom = (first: number, step: number) => {
    let sum = 0;
    for (let x = first; x < to; x += step) sum += f(x);
    return sum;
  };
  let step = (to - from) / 16;
  let sum = sumFrom(from, step);
  for (let halving = 0; halving < 8; halving++) {
    const between = sumFrom(from + step / 2, step);
    const settled = Math.abs(between - sum) <= 1e-5 * sum;
    sum += between;
    step /= 2;
    // Every halving about squares the error.
    if (settled) break;
  }
  return sum * step;
}
