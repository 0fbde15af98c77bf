import { lookUp } from '../base/objects.ts';
import { allowedSigmas } from './checks/sigma.ts';
import type { ModelProduct } from './given-product.ts';

/** A tolerance of a test: an entry passes if |found − expected| ≤ atol + rtol·|expected|. */
export interface Tolerance {
  readonly rtol: number;
  readonly atol: number;
}

/** A tolerance that a library or a habit uses, by the type of the result. */
export interface KnownTolerance {
  readonly name: string;
  readonly source: string;
  /** Undefined for types that it does not know. */
  readonly of: (format: string) => Tolerance | undefined;
}

/** The defaults of torch.testing.assert_close. */
const TORCH: Readonly<Record<string, Tolerance>> = {
  f16: { rtol: 1e-3, atol: 1e-5 },
  bf16: { rtol: 1.6e-2, atol: 1e-5 },
  f32: { rtol: 1.3e-6, atol: 1e-5 },
  f64: { rtol: 1e-7, atol: 1e-7 },
};

/** The tolerances that most tests of products use. */
const knownTolerances: readonly KnownTolerance[] = [
  {
    name: 'torch.testing.assert_close',
    source: 'PyTorch documentation, torch.testing.assert_close',
    of: (format) => lookUp(TORCH, format),
  },
  {
    name: 'numpy.allclose, torch.allclose',
    source: 'NumPy and PyTorch documentation',
    of: () => ({ rtol: 1e-5, atol: 1e-8 }),
  },
  { name: 'rtol = atol = 1e-2', source: 'tests of many kernels', of: () => ({ rtol: 1e-2, atol: 1e-2 }) },
];

export interface Fit extends Tolerance {
  readonly name: string;
  /** The factor by which the allowed error of the median entry exceeds the largest error of a correct kernel; below 1 it is too strict. */
  readonly loose: number;
  /** The share of the entries of a correct kernel that fail. */
  readonly failing: number;
}

/** The errors that a correct kernel may have on operands such as these. */
export interface Tolerances {
  /** Entries that were looked at. */
  readonly entries: number;
  /** The expected error (one sigma) of the median entry, and the largest. */
  readonly sigma: { readonly median: number; readonly largest: number };
  /** The largest error allowed for random operands. */
  readonly limit: { readonly sigmas: number; readonly median: number; readonly largest: number };
  /** The rigorous bound, which holds for every correct kernel and all operands. */
  readonly bound: { readonly median: number; readonly largest: number };
  /** The smallest tolerance of its form that no entry of a correct kernel fails. */
  readonly fitting: Tolerance;
  /** The factor by which {@link fitting} exceeds the largest error of a correct kernel, for the median entry. */
  readonly fittingLoose: number;
  readonly known: readonly Fit[];
}

/**
 * Returns what errors a correct kernel may have, and how known tolerances fit them. An entry v may be off by T·σ + u·(|v| + T·σ): T sigmas
 * of its sum, or the bound of that where it is smaller, and one rounding of a result that is narrower than sums.
 * @param sigmas as for the check `sigma`
 */
export function tolerancesOf({ evidence, sums }: ModelProduct, sigmas: number): Tolerances {
  const { reference, analysis, outcomes, machine } = evidence;
  const { value, low } = reference;
  const most = allowedSigmas(sigmas, value.length);
  const { d, accumulated } = machine.precision;
  const rtol = d.precision < accumulated.precision ? d.unitRoundoff : 0;
  const inSums = sums.sigma.data.map((one, e) => Math.min(most * one, sums.bound.data[e]));
  const limits = inSums.map((limit, e) => limit + rtol * (Math.abs(value[e]) + limit));
  const errors = value.map((x, e) => Math.abs(outcomes[0].c.data[e] - x - low[e]));
  const fitOf = (name: string, given: Tolerance): Fit => {
    const allowed = value.map((x) => given.atol + given.rtol * Math.abs(x));
    const failing = errors.reduce((count, error, e) => count + Number(error > allowed[e]), 0);
    const loose = median(allowed.map((x, e) => (x === limits[e] ? 1 : x / limits[e])));
    return { name, ...given, loose, failing: failing / errors.length };
  };
  const fitting: Tolerance = { rtol, atol: (1 + rtol) * largest(inSums) };
  return {
    entries: value.length,
    sigma: { median: median(analysis.sigma.data), largest: largest(analysis.sigma.data) },
    limit: { sigmas: most, median: median(limits), largest: largest(limits) },
    bound: { median: median(analysis.bound.data), largest: largest(analysis.bound.data) },
    fitting,
    fittingLoose: fitOf('', fitting).loose,
    known: knownTolerances.flatMap(({ name, of }) => {
      const tolerance = of(d.name);
      return tolerance === undefined ? [] : [fitOf(name, tolerance)];
    }),
  };
}

const largest = (values: Iterable<number>): number => {
  let most = Number.NEGATIVE_INFINITY;
  for (const x of values) if (x > most) most = x;
  return most;
};

const median = (values: Iterable<number>): number => {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(sorted.length / 2)];
};
