import { badNumber } from '../base/messages.ts';
import { type Random, seeded } from '../base/random.ts';
import type { Item } from '../base/registry.ts';
import type { CodedOperands } from '../matrix/coded.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { entering } from '../precision/entering.ts';
import type { Precision } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { fill } from './fill.ts';
import { beforeFitting, beyondWholeSums, FITTED, fittedPair, isFitted } from './fitted.ts';
import type { IntegerLimits } from './integer-budget.ts';
import { largestSum } from './integer-budget.ts';
import { inputRefused } from './messages.ts';

/** What to generate: a pair A (m×k), B (k×n), for an algorithm of so many levels. */
export interface InputRequest extends Shape, IntegerLimits {
  /** Seed of the random entries: a whole number. Same request, same bits, in every engine. */
  readonly seed: number;
  /** Seed of what A and B have in common, such as units along k. @defaultValue the seed */
  readonly sharedSeed?: number;
  /**
   * Where the entries of a formula are computed: every operation in binary32 (`f32`, as the 2011 paper did), or
   * in double (`f64`); then rounded to the format of the entries. Families without a formula ignore it. By default
   * `f32`, or `f64` where entries are wider than binary32.
   */
  readonly init?: 'f32' | 'f64';
}

/** A pair of matrices, and what is known of their product without multiplying them. */
export interface InputPair {
  /** m×k, row-major, entries of the precision's stored format. */
  readonly a: Matrix;
  /** k×n, row-major, likewise. */
  readonly b: Matrix;
  /**
   * Entry (i, j) of the product the formula means, which is not the exact product of the stored, rounded inputs:
   * the two errors are kept apart.
   */
  readonly ideal?: (i: number, j: number) => number;
  /** True where entry (i, j) is a sum of products that each have a factor 0: a classical kernel returns 0. */
  readonly expectsZero?: (i: number, j: number) => boolean;
  /** In a precision of coded operands, what the numbers were decoded from. */
  readonly coded?: CodedOperands | undefined;
  /** The matrices before they were coded. */
  readonly uncoded?: { readonly a: Matrix; readonly b: Matrix } | undefined;
  /** Some entries are infinite or NaN, so parts of the product are. */
  readonly hasSpecials: boolean;
  /** Entries, products or sums are subnormal: a device that flushes those may return 0 for them. */
  readonly hasSubnormals: boolean;
}

/** Whether a family can be made for a shape, and if not, why: a clause that follows "because". */
export type Acceptance = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** The shape asked for, with the levels and limits that decide exactness. */
export type InputShape = Shape & IntegerLimits;

/**
 * A family of test matrices: what it is for, and which judges may read its results.
 * The running bound may judge them all; non-finite values are compared, not bounded.
 */
export interface InputFamily extends Item {
  readonly name: string;
  /** One sentence: what the matrices are. */
  readonly what: string;
  /** One sentence: the faults it shows. */
  readonly catches: string;
  /**
   * `random`: terms are independent of their places, so that rounding errors may be taken as independent with mean zero,
   * and the sigma reader may judge; entries need not be centred.
   * `structured`: they may not (few values, special values, or no rounding at all).
   */
  readonly statistics: 'random' | 'structured';
  /**
   * The longest sum (k) whose rounding errors are random. By default any; in longer sums of smooth terms, those lost
   * to one large partial sum are lost in the same direction (stagnation).
   */
  readonly randomUpTo: (precision: Precision) => number;
  /**
   * Who must return the exact product, at zero tolerance. `integers`: every bilinear algorithm, up to the levels
   * and growth asked for. `classical`: a classical product in any order, fused or not, but no recombination of
   * blocks. `none`: nobody.
   */
  readonly exactness: 'integers' | 'classical' | 'none';
  /** Whether {@link InputPair.ideal} is given. */
  readonly hasIdeal: boolean;
  /** How large its entries and their sums become. */
  readonly reach: Reach;
  accepts(shape: InputShape): Acceptance;
  /** Whether sums may leave whole numbers of 32 bits: of kernels that do not claim what becomes of these it is asked by name alone. */
  readonly leavesRange?: boolean;
  /** True if an edit lets entries meet more others than whole numbers were made for. @defaultValue false */
  readonly isSpread?: boolean | undefined;
  /** Changes the C of a pair of a seed, in place. By default it stays as it is drawn. */
  editAddend?(c: Matrix, seed: number): void;
  /** @throws ParanoiaError `input-refused` when the shape is not accepted; `bad-number` for a seed or a
   * size that is not whole. */
  generate(request: InputRequest): InputPair;
}

/** A request, with what families make entries from. */
export interface Making extends InputRequest {
  readonly precision: Precision;
  /** The precision that entries are of at last: where they are brought into its range, families make numbers of binary32. */
  readonly fitted: Precision;
  /** An independent stream of random numbers, as fine as the format of the entries. */
  random(stream: number): Random;
  /** A rows×cols matrix, drawn row by row and rounded to the format of the entries. */
  fill(rows: number, cols: number, entry: (i: number, j: number) => number): Matrix;
  /** A rows×cols matrix of independent entries, uniform on [low, high]. */
  uniform(rows: number, cols: number, low: number, high: number, stream: number): Matrix;
}

/** How large numbers become, as exponents of two. */
export interface Reach {
  readonly entries: number;
  readonly sums: number;
}

/** What a family writes down about itself; what it leaves out takes the usual value. */
export interface InputSpec
  extends Pick<InputFamily, 'name' | 'what' | 'source' | 'catches' | 'statistics' | 'exactness'> {
  readonly hasIdeal?: boolean;
  readonly randomUpTo?: InputFamily['randomUpTo'];
  /** Entries are below 2^entries and sums of products below 2^sums: narrower formats are refused. By default 6 and 15. */
  readonly reach?: Reach;
  /** What a shape's reach at most: where that fits a format, it is not refused. By default {@link InputSpec.reach} decides. */
  readonly reachOf?: (shape: InputShape) => Reach;
  /** Whether sums may leave whole numbers of 32 bits, which is refused else. By default they may not. */
  readonly leavesRange?: boolean;
  /** What becomes of C. By default nothing. */
  readonly editAddend?: InputFamily['editAddend'] & {};
  /** By default every shape is accepted. */
  readonly accepts?: (shape: InputShape) => Acceptance;
  readonly make: (
    request: Making,
  ) => Omit<InputPair, 'hasSpecials' | 'hasSubnormals'> &
    Partial<Pick<InputPair, 'hasSpecials' | 'hasSubnormals'>>;
}

/** What entries of at most 1 reach. */
export const reachOfUnits = (shape: InputShape): Reach => ({
  entries: 0,
  sums: Math.log2(largestSum(shape.k, shape)),
});

/** Of fewer bits, terms of one sign take so few values that sums of them round alike. */
const FEW = 4;

/**
 * The longest sum of smooth terms of one sign whose rounding errors are random. A partial sum s is a multiple of its last
 * place, 2u·s at most, so that what a term t loses is that of rounding t alone to such multiples. Its mean is not zero but
 * for terms that are uniform over many of them: by Euler and Maclaurin it is some C·(2us)²/r for a density that varies over
 * r; summed over s = (i/k)·c, and over the deviation u·c·√(k/3), that is 4C/√3·u·k^1.5 for c = k·r: below one sigma up to
 * the k that follows with C = 1/20. Of products of entries uniform on [0, 1) sequential sums of k = 10^6 were measured at
 * 4.7 sigmas, which makes C = 0.034.
 */
export const whileSmooth = (precision: Precision): number =>
  entering(precision).precision < FEW ? 0 : Math.floor((8 * 2 ** precision.accumulated.precision) ** (2 / 3));

/** What whole numbers reach that stay exact. */
export const reachOfIntegers = ({ precision = singlePrecision }: InputShape): Reach => ({
  entries: entering(precision).integerBits,
  sums: precision.accumulated.integerBits,
});

export const ACCEPTED: Acceptance = { ok: true };

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
  const acceptsAll = (shape: InputShape) => {
    const beyond = shape.precision && beyondWholeSums(shape.k, shape.precision);
    if (beyond !== undefined && !leavesRange) return { ok: false as const, reason: beyond };
    const answer = withinRange(reach, shape.precision);
    return answer.ok || withinRange(reachOf(shape), shape.precision).ok ? accepts(shape) : answer;
  };
  return {
    ...said,
    hasIdeal,
    reach,
    randomUpTo,
    leavesRange,
    accepts: acceptsAll,
    generate(request) {
      requireShape(request);
      const answer = acceptsAll(request);
      const { precision } = request;
      if (!answer.ok) {
        const { m, k, n } = request;
        throw inputRefused({ input: said.name, shape: `${m}×${k}×${n}`, reason: answer.reason });
      }
      const made = { hasSpecials: false, hasSubnormals: false, ...make(making(request)) };
      return precision !== undefined && isFitted(precision) ? fittedPair(made, precision) : made;
    },
  };
}

/** Sizes of 0 are sizes. @throws ParanoiaError `bad-number` */
function requireShape(request: InputShape): void {
  for (const name of ['m', 'k', 'n'] as const) {
    const given = (request as Partial<InputShape> | undefined)?.[name];
    if (Number.isInteger(given) && (given as number) >= 0) continue;
    throw badNumber({ what: `The size ${name}`, given, need: 'a whole number of at least 0' });
  }
}

/** Whether numbers of a reach fit a precision. */
export function withinRange({ entries, sums }: Reach, precision = singlePrecision): Acceptance {
  const { accumulated, multiplied, d, name } = precision;
  if (isFitted(precision) ? entries > FITTED : 2 ** entries >= multiplied.maxFinite) {
    return { ok: false, reason: `its entries reach 2^${entries}, too much for ${name}` };
  }
  // Results of such formats end at their largest number, and their errors are known there.
  const largest = d.roundingError === undefined ? d.maxFinite : accumulated.maxFinite;
  if (2 ** sums < Math.min(accumulated.maxFinite, largest)) return ACCEPTED;
  return { ok: false, reason: `its sums reach 2^${sums}, too much for ${name}` };
}

function making(request: InputRequest): Making {
  const { seed, precision: own = singlePrecision } = request;
  const precision = isFitted(own) ? beforeFitting(own) : own;
  const { a: stored } = precision;
  const random = (stream: number) => seeded(seed, stream, stored.bytes > 4 ? 'fine' : 'coarse');
  const filled: Making['fill'] = (rows, cols, entry) => fill(rows, cols, entry, stored);
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
