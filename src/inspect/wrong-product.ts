import { quantizedJob } from '../evidence/quantized-operands.ts';
import { analysisOf } from '../evidence/weigh.ts';
import { exactProduct } from '../exact/exact.ts';
import { operandSize } from '../exact/sizes.ts';
import type { KernelJob } from '../kernels/kernel.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { formatTimes } from '../report/numbers.ts';
import type { InspectionMeasures } from './inspection.ts';
import { isFewOnly, multipliedBits } from './operand-format.ts';

/** The entry that exceeds the bound of the kernel's claims most. */
export interface BoundViolation {
  readonly shape: Shape;
  readonly i: number;
  readonly j: number;
  readonly found: number;
  /** The exact inner product, as a double. */
  readonly exact: number;
  /** Ratio of the error to the bound. */
  readonly times: number;
  /** True if the bits that were found of the kernel do not explain the error either. */
  readonly wrong: boolean;
}

/** The reason why a question has no answer: a product that it needs is wrong. */
export class WrongProduct extends Error {
  override readonly name = 'WrongProduct';
  readonly breach: BoundViolation;

  constructor(breach: BoundViolation) {
    super(describeBoundViolation(breach));
    this.breach = breach;
  }
}

export const shapeText = ({ m, k, n }: Shape): string => `${m}×${k}×${n}`;

/** Describes a breach: "entry (3, 4) is 0 where 1.25 is exact, 4.1e+5 times the bound of what it claims". */
export function describeBoundViolation({ i, j, found, exact, times }: BoundViolation): string {
  const much = Number.isFinite(times) ? `${formatTimes(times)} the claimed bound` : 'beyond every bound';
  return `entry (${i}, ${j}) is ${short(found)}, expected ${short(exact)}, ${much}`;
}

const short = (x: number) => `${Number(x.toPrecision(6))}`.replace(/^-/, '−');

/**
 * Compares a product with the exact one, entry by entry. An error above the running bound of the kernel's claims disproves the claims.
 * Entries whose partial sums may overflow, and entries of operands that are not finite, are not judged here.
 * @returns the worst entry above the bound, if there is one.
 */
export function findBoundViolation(
  asked: KernelJob,
  c: Matrix,
  measures: InspectionMeasures,
): BoundViolation | undefined {
  const job = quantizedJob(asked);
  const {
    kernel,
    operands: { a, b },
    plan,
  } = job;
  const { accumulated, d } = kernel.precision;
  const { product, low } = exactProduct(a, b);
  const value = product.data;
  // Correctly rounded entries keep every bound. The bound is computed only for others.
  const differing = [...c.data.keys()].filter(
    (e) => Number.isFinite(value[e]) && !Object.is(c.data[e] + 0, d.round(value[e]) + 0),
  );
  if (differing.length === 0) return undefined;
  const range = Math.min(accumulated.maxFinite, d.maxFinite) / 2;
  const isFar = a.cols * operandSize(a).maxAbs * operandSize(b).maxAbs < range;
  const suspects = isFar ? differing : differing.filter((e) => sizeAt(a, b, e) < range);
  const { bound } = analysisOf(job);
  const explained = explaining(job, measures);
  let worst: BoundViolation | undefined;
  let wrong = false;
  for (const e of suspects) {
    const allowed = bound.data[e];
    const distance = Math.abs(c.data[e] - value[e] - low[e]) * (1 - 2 ** -51);
    const error = Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance;
    if (!Number.isFinite(allowed) || error <= allowed) continue;
    wrong ||= error > explained(e);
    const times = error / allowed;
    if (worst !== undefined && times <= worst.times) continue;
    const [i, j] = [Math.floor(e / c.cols), e % c.cols];
    worst = { shape: plan.shape, i, j, found: c.data[e], exact: value[e], times, wrong };
  }
  return worst === undefined ? undefined : { ...worst, wrong };
}

/** Returns |A||B| of an entry. Few entries need it. */
function sizeAt(a: Matrix, b: Matrix, e: number): number {
  const [i, j] = [Math.floor(e / b.cols), e % b.cols];
  let size = 0;
  for (let p = 0; p < a.cols; p++) size += Math.abs(a.data[i * a.cols + p] * b.data[p * b.cols + j]);
  return size;
}

/**
 * Growth factor of Winograd's algorithm, whose errors grow most of the common ones. It stands for Strassen-like methods of no known table.
 */
const GROWTH = 18;

/**
 * Returns the error that the findings on a kernel explain, with a factor of 4 to spare: (k + 4)·u·|A||B| for a classical one, else that of
 * the largest entries. Every error counts as explained before the bits are known.
 */
function explaining(
  { operands: { a, b }, plan, kernel }: KernelJob,
  measures: InspectionMeasures,
): (e: number) => number {
  const { operandBits, accumulatorBits, storedBits, blockSumBits = 99, productBits = 99 } = measures;
  if (operandBits === undefined || accumulatorBits === undefined || storedBits === undefined) {
    return () => Number.POSITIVE_INFINITY;
  }
  // Elements of few bits are exact numbers. They lose nothing where all come through.
  const isWhole = isFewOnly(kernel.precision) && operandBits >= multipliedBits(kernel.precision);
  const entryBits = isWhole ? Number.POSITIVE_INFINITY : operandBits;
  const bits = Math.min(entryBits, accumulatorBits, storedBits, blockSumBits, productBits);
  const { k } = plan.shape;
  const factor = 4 * (k + 4) * 2 ** -bits;
  const [x, y] = [operandSize(a).maxAbs, operandSize(b).maxAbs];
  const lost = k * kernel.precision.a.minNormal * (1 + x + y);
  if (measures.algorithm === 'classical') return (e: number) => factor * sizeAt(a, b, e) + lost;
  const whole = factor * GROWTH ** (measures.levels ?? 2) * k * x * y + lost;
  return () => whole;
}

/** The reason why a question could not be asked. */
export class SkippedQuestion extends Error {
  override readonly name = 'Unasked';
}
