import type { RunningSum } from '../precision/arithmetic.ts';
import { DEVIATIONS, DRIFTS, typicalError, UNITS } from '../precision/device-errors.ts';
import type { Format } from '../precision/format.ts';
import { dependsOnData, partsIn, SMALLEST_HALF, type SumModel, type SumParts } from '../precision/sums.ts';

/** Largest and expected errors of the sum of the k products of an entry, with Q = Σ x²y² and c the sum. */
export interface LeafErrors {
  /** The largest error, over Σ|x||y|. */
  readonly loss: number;
  /**
   * The variance: `terms`·Q + `mean`·max(0, c² − Q) + `result`·c² + `largest`·(the largest partial sum)² +
   * `signs`·D²·(share·Q + share²·max(0, c² − Q)), with D the terms above zero less those below.
   */
  readonly terms: number;
  readonly mean: number;
  readonly result: number;
  readonly largest: number;
  readonly signs: number;
  /** The share of the terms in one running sum. */
  readonly share: number;
  /** Number of additions of one term that may underflow, besides its product's. */
  readonly operations: number;
  /** The largest loss that does not depend on the terms: by underflow of sums that are kept in a narrower format. */
  readonly absolute: number;
}

/**
 * One level of a sum. It adds groups of leaves, each a product or a group of the level below, one after the other or in halves. Every
 * claimed order is a few of these: blocks and the sum of blocks, halves and their leaves, a running sum and its promoted sum.
 */
export interface SummationStage {
  readonly leaves: number;
  /** Number of terms of a leaf. */
  readonly terms: number;
  readonly isHalved: boolean;
  /** The share of all terms of the largest leaf, at most, where leaves are unequal. */
  readonly largest?: number | undefined;
  /** Largest loss of an addition, relative to the sizes of its terms. */
  readonly loss: number;
  /** Its standard deviation about the mean. */
  readonly deviation: number;
  /** Its largest mean, toward zero. */
  readonly drift: number;
  /** Average loss of each term toward zero, relative to the sum so far. */
  readonly cut: number;
}

/** The errors of one addition. */
export type AdditionErrors = Pick<SummationStage, 'loss' | 'deviation' | 'drift' | 'cut'>;

/**
 * Returns the errors of a rounded addition. A truncated sum loses between 0 and 2u of itself, u on average, and so may a faithfully rounded
 * one. A stochastically rounded sum becomes one of two neighbors, which are at most 2u apart.
 */
export function additionOf({ rounding, bits }: RunningSum, format: Format): AdditionErrors {
  const [u, typical] =
    bits === undefined ? [format.unitRoundoff, typicalError(format)] : [2 ** -bits, 2 ** -bits];
  const [deviation, drift] = [DEVIATIONS[rounding] * typical, DRIFTS[rounding] * typical];
  return { loss: UNITS[rounding] * u, deviation, drift, cut: 0 };
}

/**
 * Returns the errors of an adder of t products and the running sum in a window of b bits. None is larger than the largest, M, whose leading
 * bit is at the window's. So each loses less than 2^(1−b)·M of its size, half of that on average. M is at most the running sum and the
 * products together. The result is rounded once more, to the accumulation format or, where the window is narrower, to its bits (Blanchard
 * et al. 2020, §3; Fasi et al. 2021, §3; of eight-bit formats, MMA-Sim). In a window as wide as the format, the running sum lies on the
 * window's grid already, and is not truncated. The additional loss of subnormal factors is `Underflow.operand`.
 */
function adderOf({ terms = 1, bits = 0, rounding }: RunningSum, format: Format): AdditionErrors {
  const result = additionOf(bits < format.precision ? { rounding, bits } : { rounding }, format);
  const cut = 2 ** (1 - bits);
  return {
    loss: (terms + 1) * cut + result.loss,
    deviation: Math.hypot(Math.sqrt((terms + 1) / 3) * cut, result.deviation),
    drift: bits === format.precision ? 0 : result.drift,
    cut: cut / 2,
  };
}

/** Returns the stages of a sum of k ≥ 1 terms, the innermost first. */
export function stagesOf(k: number, sums: SumModel, running: RunningSum, format: Format): SummationStage[] {
  const { order } = sums;
  const { largest: apart, count } = apartIn(k, sums, running);
  const areAlike = count === Math.ceil(k / apart);
  const whole = additionOf({ rounding: running.rounding }, format);
  const isLast = running.promoted === undefined && running.terms === undefined;
  const own = sums.partial?.added
    ? roundedTo(sums.partial.added, whole)
    : isLast
      ? additionOf(running, format)
      : whole;
  const outer: SummationStage = {
    ...(areAlike ? { leaves: count, terms: apart } : { leaves: count, terms: k / count, largest: apart / k }),
    isHalved: order === 'pairwise',
    ...own,
  };
  return [...runStages(apart, running, format, whole), outer].filter(
    ({ leaves }, at) => leaves > 1 || at === 0,
  );
}

/** Returns the errors of an addition whose result is rounded to a narrower format. */
function roundedTo(narrow: Format, { loss, deviation, drift, cut }: AdditionErrors): AdditionErrors {
  const last = additionOf({ rounding: 'nearest' }, narrow);
  return {
    loss: (1 + loss) * (1 + last.loss) - 1,
    deviation: Math.hypot(deviation, last.deviation),
    drift,
    cut,
  };
}

/** The rounding of the sums of parts. */
export interface PartialSumErrors {
  readonly loss: number;
  /** The standard deviation of the relative error. */
  readonly deviation: number;
  /** The share of the terms in the largest part. */
  readonly share: number;
  /** The loss of all parts and of their sums by underflow. */
  readonly absolute: number;
}

/** Returns the errors of rounding the sums of parts to the format in which they are kept. */
export function partialSumErrorsOf(
  k: number,
  sums: SumModel,
  running: RunningSum,
  format: Format,
): PartialSumErrors {
  const { partial } = sums;
  if (partial === undefined) return { loss: 0, deviation: 0, share: 0, absolute: 0 };
  const { largest, count } = apartIn(k, sums, running);
  const { kept, added = format } = partial;
  const isKept = kept.precision >= (running.bits ?? format.precision);
  const { loss, deviation } = isKept ? { loss: 0, deviation: 0 } : additionOf({ rounding: 'nearest' }, kept);
  const underflow = ({ minSubnormal }: Format) => (minSubnormal > format.minSubnormal ? minSubnormal / 2 : 0);
  const absolute = count * underflow(kept) + (count - 1) * underflow(added);
  return { loss, deviation, share: largest / k, absolute };
}

/** Returns the stages of a run of terms by one running sum, and of its promoted sums. */
function runStages(k: number, running: RunningSum, format: Format, whole: AdditionErrors): SummationStage[] {
  const { terms = 1, promoted = k } = running;
  const run = Math.min(k, promoted);
  const addition = terms > 1 ? adderOf(running, format) : additionOf(running, format);
  return [
    { leaves: Math.ceil(run / terms), terms, isHalved: false, ...addition },
    { leaves: Math.ceil(k / run), terms: run, isHalved: false, ...whole },
  ];
}

/**
 * Returns the terms that are summed separately; all, where their number is unknown. A run of all terms loses as much as any parts of them,
 * unless it is compensated, or parts are kept in a narrower format: then the sums of parts lose more.
 */
export function apartIn(
  k: number,
  { order = 'any', partition, parts, cut, partial }: SumModel,
  { compensated }: Pick<RunningSum, 'compensated'>,
): Pick<SumParts, 'largest' | 'count'> {
  if (order === 'any' || order === 'sequential' || dependsOnData(order)) return { largest: k, count: 1 };
  const areLossy = compensated !== undefined || partial !== undefined;
  if (areLossy && parts !== undefined && cut === undefined) return { largest: k, count: Math.min(parts, k) };
  return partsIn(k, {
    partition: partition ?? (order === 'pairwise' ? SMALLEST_HALF : undefined),
    parts,
    cut,
  });
}
