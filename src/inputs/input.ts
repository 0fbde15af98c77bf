import { badNumber } from '../base/messages.ts';
import { createRandom, type Random } from '../base/random.ts';
import type { Item } from '../base/registry.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import type { CodedOperands } from '../matrix/operands.ts';
import { multipliedFormatOf } from '../precision/operand-encoding.ts';
import type { Precision } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { beforeFitting, beyondWholeSums, FITTED, fillMatrix, fittedPair, isFitted } from './fitted.ts';
import { type IntegerLimits, largestSum, roundsWhole } from './integer-budget.ts';
import { inputRefused } from './messages.ts';

/** A request for a pair A (m×k), B (k×n), for an algorithm of given levels. */
export interface InputRequest extends Shape, IntegerLimits {
  /** Seed of the random entries: a whole number. The same request gives the same bits in every engine. */
  readonly seed: number;
  /** Seed of properties that A and B share, such as units along k. @defaultValue the seed */
  readonly sharedSeed?: number;
  /**
   * Precision of the formula for entries: every operation in binary32 (`f32`, as the 2011 paper did), or in double (`f64`). The result is
   * rounded to the format of the entries. Families without a formula ignore it. @defaultValue `f32`, or `f64` where entries are wider than
   * binary32
   */
  readonly init?: 'f32' | 'f64';
}

/** A pair of matrices, with the facts on their product that need no multiplication. */
export interface InputPair {
  /** m×k, row-major, entries of the precision's stored format. */
  readonly a: Matrix;
  /** k×n, row-major, likewise. */
  readonly b: Matrix;
  /**
   * Returns entry (i, j) of the product that the formula means. This is not the exact product of the stored, rounded inputs: the two errors
   * are kept apart.
   */
  readonly ideal?: (i: number, j: number) => number;
  /** True if entry (i, j) is a sum of products that each have a factor 0. A classical kernel returns 0. */
  readonly expectsZero?: (i: number, j: number) => boolean;
  /** The codes from which the numbers were decoded, in a precision of coded operands. */
  readonly coded?: CodedOperands | undefined;
  /** The matrices before coding. */
  readonly uncoded?: { readonly a: Matrix; readonly b: Matrix } | undefined;
  /** True if some entries, and so parts of the product, are infinite or NaN. */
  readonly hasSpecials: boolean;
  /** True if entries, products or sums are subnormal. A device that flushes those may return 0 for them. */
  readonly hasSubnormals: boolean;
}

/** The acceptance of a shape by a family, or the reason of a refusal: a clause that follows "because". */
export type Acceptance = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** The requested shape, with the levels and limits that decide exactness. */
export type InputShape = Shape & IntegerLimits;

/**
 * A family of test matrices: its purpose, and the judges that may read its results. The running bound may judge all of them. Non-finite
 * values are compared, not bounded.
 */
export interface InputFamily extends Item {
  readonly name: string;
  /** One sentence on the matrices. */
  readonly what: string;
  /** One sentence on the faults that it reveals. */
  readonly catches: string;
  /**
   * `random`: terms are independent of their places, so rounding errors may be taken as independent with mean zero, and the sigma reader
   * may judge. Entries need not be centered. `structured`: errors may not be taken so (few values, special values, or no rounding at all).
   */
  readonly statistics: 'random' | 'structured';
  /**
   * Longest sum (k) whose rounding errors are random. In longer sums of smooth terms, those lost to one large partial sum are lost in the
   * same direction (stagnation). @defaultValue any length
   */
  readonly randomUpTo: (precision: Precision) => number;
  /**
   * The kernels that must return the exact product, at zero tolerance. `integers`: every bilinear algorithm, up to the requested levels and
   * growth. `classical`: a classical product in any order, fused or not, but no recombination of blocks. `none`: no kernel.
   */
  readonly exactness: 'integers' | 'classical' | 'none';
  /** True if {@link InputPair.ideal} is given. */
  readonly hasIdeal: boolean;
  /** The size of its entries and their sums. */
  readonly reach: MagnitudeReach;
  accepts(shape: InputShape): Acceptance;
  /** True if sums may overflow 32-bit whole numbers. Kernels without a claim on overflow get such a family only by name. */
  readonly leavesRange?: boolean;
  /** True if an edit lets entries meet more nonzero entries than whole numbers were made for. @defaultValue false */
  readonly isSpread?: boolean | undefined;
  /** Changes the C of a pair with a given seed, in place. @defaultValue C stays as it is drawn */
  editAddend?(c: Matrix, seed: number): void;
  /**
   * Generates a pair.
   * @throws ParanoiaError `input-refused` if the shape is not accepted; `bad-number` for a seed or a size that is not whole.
   */
  generate(request: InputRequest): InputPair;
}

/** A request, with the tools that make entries. */
export interface GenerationContext extends InputRequest {
  readonly precision: Precision;
  /** The final precision of entries. Where they are scaled into its range, families make binary32 numbers first. */
  readonly fitted: Precision;
  /** Returns an independent random stream, as fine as the format of the entries. */
  random(stream: number): Random;
  /** Returns a rows×cols matrix, drawn row by row and rounded to the format of the entries. */
  fill(rows: number, cols: number, entry: (i: number, j: number) => number): Matrix;
  /** Returns a rows×cols matrix of independent entries, uniform on [low, high]. */
  uniform(rows: number, cols: number, low: number, high: number, stream: number): Matrix;
}

/** The size of numbers, as exponents of two. */
export interface MagnitudeReach {
  readonly entries: number;
  readonly sums: number;
}

/** The specification of a family. Absent fields have default values. */
export interface InputSpec
  extends Pick<InputFamily, 'name' | 'what' | 'source' | 'catches' | 'statistics' | 'exactness'> {
  readonly hasIdeal?: boolean;
  readonly randomUpTo?: InputFamily['randomUpTo'];
  /**
   * Exponents of two: entries are below 2^entries and sums of products below 2^sums. Narrower formats are refused. @defaultValue 6 and 15
   */
  readonly reach?: MagnitudeReach;
  /** Returns the largest reach of a shape. A shape whose reach fits a format is accepted. @defaultValue {@link InputSpec.reach} decides */
  readonly reachOf?: (shape: InputShape) => MagnitudeReach;
  /** True if sums may overflow 32-bit whole numbers, which is otherwise refused. @defaultValue false */
  readonly leavesRange?: boolean;
  /** Changes C in place. @defaultValue C stays */
  readonly editAddend?: InputFamily['editAddend'] & {};
  /** Decides if a shape is accepted. @defaultValue every shape is */
  readonly accepts?: (shape: InputShape) => Acceptance;
  readonly make: (
    request: GenerationContext,
  ) => Omit<InputPair, 'hasSpecials' | 'hasSubnormals'> &
    Partial<Pick<InputPair, 'hasSpecials' | 'hasSubnormals'>>;
}

/** Returns the reach of entries of at most 1. */
export const reachOfUnits = (shape: InputShape): MagnitudeReach => ({
  entries: 0,
  sums: Math.log2(largestSum(shape.k, shape)),
});

/** Fewest bits of sums with random errors. With fewer, terms of one sign take so few values that their sums round alike. */
const FEW = 4;

/**
 * Returns the longest sum of smooth terms of one sign whose rounding errors are random. A partial sum s is a multiple of its last
 * place, 2u·s at most, so the loss of a term t is that of rounding t alone to such multiples. Its mean is not zero but
 * for terms that are uniform over many of them: by Euler and Maclaurin it is some C·(2us)²/r for a density that varies over
 * r; summed over s = (i/k)·c, and over the deviation u·c·√(k/3), that is 4C/√3·u·k^1.5 for c = k·r: below one sigma up to
 * the k that follows with C = 1/20. Of products of entries uniform on [0, 1) sequential sums of k = 10^6 were measured at
 * 4.7 sigmas, which makes C = 0.034.
 */
export const whileSmooth = (precision: Precision): number =>
  multipliedFormatOf(precision).precision < FEW
    ? 0
    : Math.floor((8 * 2 ** precision.accumulated.precision) ** (2 / 3));

/** Returns the reach of whole numbers that stay exact. */
export const reachOfIntegers = ({ precision = singlePrecision }: InputShape): MagnitudeReach => ({
  entries: multipliedFormatOf(precision).integerBits,
  sums: precision.accumulated.integerBits,
});

export const ACCEPTED: Acceptance = { ok: true };

/** Accepts a shape if a condition holds, and else refuses it for a reason. */
export const acceptIf = (holds: boolean, reason: string): Acceptance =>
  holds ? ACCEPTED : { ok: false, reason };

/** Accepts a shape if whole numbers of its budget suffice, and else refuses it for a reason. */
export const acceptWhole = (holds: boolean, shape: InputShape, reason: string): Acceptance =>
  acceptIf(holds, roundsWhole(shape) ? ROUNDED : reason);

/** The reason why no whole number is exact then. */
const ROUNDED = 'its algorithm has factors such as 1/3, which round whole numbers';

/** Checks that a shape is accepted. @throws ParanoiaError `input-refused` */
export function requireAccepted({ name, accepts }: InputFamily, shape: InputShape): void {
  const answer = accepts(shape);
  if (answer.ok) return;
  const { m, k, n } = shape;
  throw inputRefused({ input: name, shape: `${m}×${k}×${n}`, reason: answer.reason });
}

/** Builds a family whose `generate` refuses the shapes it does not accept. */
export function inputFamily(spec: InputSpec): InputFamily {
  const {
    make,
    accepts = () => ACCEPTED,
    reach = { entries: 6, sums: 15 },
    reachOf = () => reach,
    hasIdeal = false,
    randomUpTo = () => Number.POSITIVE_INFINITY,
    leavesRange = false,
    ...said
  } = spec;
  const family: InputFamily = {
    ...said,
    hasIdeal,
    reach,
    randomUpTo,
    leavesRange,
    accepts(shape) {
      const beyond = shape.precision && beyondWholeSums(shape.k, shape.precision);
      if (beyond !== undefined && !leavesRange) return { ok: false, reason: beyond };
      const answer = withinRange(reach, shape.precision);
      return answer.ok || withinRange(reachOf(shape), shape.precision).ok ? accepts(shape) : answer;
    },
    generate(request) {
      requireShape(request);
      requireAccepted(family, request);
      const { precision } = request;
      const made = { hasSpecials: false, hasSubnormals: false, ...make(making(request)) };
      return precision !== undefined && isFitted(precision) ? fittedPair(made, precision) : made;
    },
  };
  return family;
}

/** Checks a shape. Sizes of 0 are accepted. @throws ParanoiaError `bad-number` */
function requireShape(request: InputShape): void {
  for (const name of ['m', 'k', 'n'] as const) {
    const given = (request as Partial<InputShape> | undefined)?.[name];
    if (Number.isInteger(given) && (given as number) >= 0) continue;
    throw badNumber({ what: `The size ${name}`, given, need: 'a whole number of at least 0' });
  }
}

/** Accepts numbers of a reach that fit a precision. */
export function withinRange({ entries, sums }: MagnitudeReach, precision = singlePrecision): Acceptance {
  const { accumulated, multiplied, d, name } = precision;
  if (isFitted(precision) ? entries > FITTED : 2 ** entries >= multiplied.maxFinite) {
    return { ok: false, reason: `its entries reach 2^${entries}, beyond the range of ${name}` };
  }
  // Results of such formats saturate at their largest number, and their errors are known there.
  const largest = d.roundingError === undefined ? d.maxFinite : accumulated.maxFinite;
  return acceptIf(
    2 ** sums < Math.min(accumulated.maxFinite, largest),
    `its sums reach 2^${sums}, beyond the range of ${name}`,
  );
}

function making(request: InputRequest): GenerationContext {
  const { seed, precision: own = singlePrecision } = request;
  const precision = isFitted(own) ? beforeFitting(own) : own;
  const { a: stored } = precision;
  const random = (stream: number) => createRandom(seed, stream, stored.bytes > 4 ? 'fine' : 'coarse');
  const filled: GenerationContext['fill'] = (rows, cols, entry) => fillMatrix(rows, cols, entry, stored);
  return {
    ...request,
    precision,
    fitted: own,
    random,
    fill: filled,
    uniform(rows, cols, low, high, stream) {
      const drawn = random(stream);
      return filled(rows, cols, () => drawn.uniform(low, high));
    },
  };
}
