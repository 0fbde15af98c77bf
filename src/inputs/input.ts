import type { Matrix, Shape } from '../matrix/dense.ts';
import { problem } from '../problems.ts';
import type { IntegerLimits } from './integer-budget.ts';

/** What to generate: a pair A (m×k), B (k×n), for an algorithm of so many levels. */
export interface InputRequest extends Shape, IntegerLimits {
  /** Seed of the random entries: a whole number. Same request, same bits, in every engine. */
  readonly seed: number;
  /**
   * Where the entries of a formula are computed: every operation in binary32 (`f32`, as the 2011 paper did), or
   * in double, rounded to binary32 once (`f64`). Families without a formula ignore it. By default `f32`.
   */
  readonly init?: 'f32' | 'f64';
}

/** A pair of matrices, and what is known of their product without multiplying them. */
export interface InputPair {
  /** m×k, row-major. */
  readonly a: Matrix<Float32Array>;
  /** k×n, row-major. */
  readonly b: Matrix<Float32Array>;
  /**
   * Entry (i, j) of the product the formula means, which is not the exact product of the stored, rounded inputs:
   * the two errors are kept apart.
   */
  readonly ideal?: (i: number, j: number) => number;
  /** True where entry (i, j) is a sum of products that each have a factor 0: a classical kernel returns 0. */
  readonly expectsZero?: (i: number, j: number) => boolean;
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
export interface InputFamily {
  readonly name: string;
  /** One sentence: what the matrices are. */
  readonly what: string;
  /** One sentence: the faults it shows. */
  readonly catches: string;
  /**
   * `random`: rounding errors may be taken as independent with mean zero, and the sigma reader may judge.
   * `structured`: they may not (few values, one sign, special values, or no rounding at all).
   */
  readonly statistics: 'random' | 'structured';
  /**
   * The longest sum (k) whose rounding errors are random. By default any; in longer sums of smooth terms, those lost
   * to one large partial sum are lost in the same direction (stagnation).
   */
  readonly randomUpTo: number;
  /**
   * Who must return the exact product, at zero tolerance. `integers`: every bilinear algorithm, up to the levels
   * and growth asked for. `classical`: a classical product in any order, fused or not, but no recombination of
   * blocks. `none`: nobody.
   */
  readonly exactness: 'integers' | 'classical' | 'none';
  /** Whether {@link InputPair.ideal} is given. */
  readonly hasIdeal: boolean;
  accepts(shape: InputShape): Acceptance;
  /** @throws Problem `input-refused` when the shape is not accepted; `bad-number` for a seed that is not whole. */
  generate(request: InputRequest): InputPair;
}

/** What a family writes down about itself; what it leaves out takes the usual value. */
export interface InputSpec
  extends Pick<InputFamily, 'name' | 'what' | 'catches' | 'statistics' | 'exactness'> {
  readonly hasIdeal?: boolean;
  readonly randomUpTo?: number;
  /** By default every shape is accepted. */
  readonly accepts?: (shape: InputShape) => Acceptance;
  readonly make: (
    request: InputRequest,
  ) => Omit<InputPair, 'hasSpecials' | 'hasSubnormals'> &
    Partial<Pick<InputPair, 'hasSpecials' | 'hasSubnormals'>>;
}

export const ACCEPTED: Acceptance = { ok: true };

/** Builds a family whose `generate` refuses the shapes it does not accept. */
export function inputFamily(spec: InputSpec): InputFamily {
  const {
    make,
    accepts = () => ACCEPTED,
    hasIdeal = false,
    randomUpTo = Number.POSITIVE_INFINITY,
    ...said
  } = spec;
  return {
    ...said,
    hasIdeal,
    randomUpTo,
    accepts,
    generate(request) {
      const answer = accepts(request);
      if (!answer.ok) {
        const { m, k, n } = request;
        throw problem('input-refused', { input: said.name, shape: `${m}×${k}×${n}`, reason: answer.reason });
      }
      return { hasSpecials: false, hasSubnormals: false, ...make(request) };
    },
  };
}
