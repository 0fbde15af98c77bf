import type { RunningSum } from '../precision/arithmetic.ts';
import { DEVIATIONS, DRIFTS, typicalError, UNITS } from '../precision/device-errors.ts';
import type { Format } from '../precision/format.ts';
import { dependsOnData, type Parts, partsIn, SMALLEST_HALF, type Sums } from '../precision/sums.ts';

/** What adding up the k products of an entry may lose, and is expected to: with Q = Σ x²y² and c the sum. */
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
  /** Of the terms, those that one running sum takes. */
  readonly share: number;
  /** Additions of one term that may underflow, beside its product's. */
  readonly operations: number;
}

/**
 * One level of a sum: groups of so many leaves, each a product or a group of the level below, are added up one after the
 * other or in halves. Every order that is claimed is a few of these: blocks and the sum of blocks, halves and what is at
 * their end, a running sum and the one it is promoted to.
 */
export interface Stage {
  readonly leaves: number;
  /** Terms of a leaf. */
  readonly terms: number;
  readonly isHalved: boolean;
  /** The share of all terms that the largest leaf has at most, where leaves are not alike. */
  readonly largest?: number | undefined;
  /** What an addition may lose, over the sizes of what it adds. */
  readonly loss: number;
  /** Its standard deviation about the mean. */
  readonly deviation: number;
  /** Its mean at most, toward zero. */
  readonly drift: number;
  /** What each term loses on average, toward zero, over the sum so far. */
  readonly cut: number;
}

/** How one addition errs. */
export type Addition = Pick<Stage, 'loss' | 'deviation' | 'drift' | 'cut'>;

/**
 * A rounded addition. Cut off, the sum loses between 0 and 2u of itself, u on average, and so it may where it is faithful; drawn at
 * random, it is off by one of two neighbours, which are 2u apart at most.
 */
export function additionOf({ rounding, bits }: RunningSum, format: Format): Addition {
  const [u, typical] =
    bits === undefined ? [format.unitRoundoff, typicalError(format)] : [2 ** -bits, 2 ** -bits];
  const [deviation, drift] = [DEVIATIONS[rounding] * typical, DRIFTS[rounding] * typical];
  return { loss: UNITS[rounding] * u, deviation, drift, cut: 0 };
}

/**
 * An adder of t products and the running sum in a window of b bits. None is larger than the largest, M, which has its
 * leading bit at the window's; so each loses less than 2^(1−b)·M of its size, half of that on average, M is at most the
 * running sum and the products together, and the result is rounded once more, to the format of sums or, where the window is the
 * narrower one, to as many bits as it has (Blanchard et al. 2020, §3; Fasi et al. 2021, §3; of eight-bit formats, MMA-Sim). Of a
 * window as wide as the format the running sum lies on the window's grid already, and is not cut off. What subnormal factors lose
 * beside is `Underflow.operand`.
 */
function adderOf({ terms = 1, bits = 0, rounding }: RunningSum, format: Format): Addition {
  const result = additionOf(bits < format.precision ? { rounding, bits } : { rounding }, format);
  const cut = 2 ** (1 - bits);
  return {
    loss: (terms + 1) * cut + result.loss,
    deviation: Math.hypot(Math.sqrt((terms + 1) / 3) * cut, result.deviation),
    drift: bits === format.precision ? 0 : result.drift,
    cut: cut / 2,
  };
}

/** The stages of a sum of k ≥ 1 terms, the innermost first. */
export function stagesOf(k: number, sums: Sums, running: RunningSum, format: Format): Stage[] {
  const { order } = sums;
  const { largest: apart, count } = apartIn(k, sums, running);
  const areAlike = count === Math.ceil(k / apart);
  const whole = additionOf({ rounding: running.rounding }, format);
  const isLast = running.promoted === undefined && running.terms === undefined;
  const own = isLast ? additionOf(running, format) : whole;
  const outer: Stage = {
    ...(areAlike ? { leaves: count, terms: apart } : { leaves: count, terms: k / count, largest: apart / k }),
    isHalved: order === 'pairwise',
    ...own,
  };
  return [...runStages(apart, running, format, whole), outer].filter(
    ({ leaves }, at) => leaves > 1 || at === 0,
  );
}

/** A run of terms by one running sum, and the sums that it is promoted to. */
function runStages(k: number, running: RunningSum, format: Format, whole: Addition): Stage[] {
  const { terms = 1, promoted = k } = running;
  const run = Math.min(k, promoted);
  const addition = terms > 1 ? adderOf(running, format) : additionOf(running, format);
  return [
    { leaves: Math.ceil(run / terms), terms, isHalved: false, ...addition },
    { leaves: Math.ceil(k / run), terms: run, isHalved: false, ...whole },
  ];
}

/**
 * Terms that are summed apart: all, where it is not said how many. A run of all terms loses as much as any parts of them, unless it is
 * compensated: then the sums of parts lose more.
 */
function apartIn(
  k: number,
  { order = 'any', partition, parts, cut }: Sums,
  { compensated }: RunningSum,
): Pick<Parts, 'largest' | 'count'> {
  if (order === 'any' || order === 'sequential' || dependsOnData(order)) return { largest: k, count: 1 };
  if (compensated !== undefined && parts !== undefined && cut === undefined)
    return { largest: k, count: Math.min(parts, k) };
  return partsIn(k, {
    partition: partition ?? (order === 'pairwise' ? SMALLEST_HALF : undefined),
    parts,
    cut,
  });
}
