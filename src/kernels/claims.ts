import { algorithmRegistry } from '../algorithms/algorithms.ts';
import { badNumber, unknownName } from '../base/messages.ts';
import type { Shape } from '../matrix/dense.ts';
import type { ArithmeticClaims } from '../precision/arithmetic.ts';
import type { ClaimedSums } from '../precision/sums.ts';
import type { Convention } from '../readers/any-convention.ts';
import type { Accepts } from './accepts.ts';

export { type Order, orders } from '../precision/sums.ts';

/**
 * What a kernel promises, and so which bound it is held to. Whatever is left out is not promised: a classical product,
 * in any order.
 */
export interface Claims extends ClaimedSums {
  /** The name of one, such as `strassen`. @defaultValue 'classical' */
  readonly algorithm?: string | undefined;
  /**
   * Levels of recursion, for all shapes or by shape; size limits below which an implementation stops recursing belong
   * here. @defaultValue 0 for `classical`, 1 for the others
   */
  readonly levels?: number | ((shape: Shape) => number) | undefined;
  /** Where it multiplies by alpha: entries of A or B, or complete sums. @defaultValue either */
  readonly alpha?: Convention['alpha'];
  /** Whether its sums begin with beta·C, or it is added to complete sums. @defaultValue either */
  readonly beta?: Convention['beta'];
  /** Whether the same operands give the same bits: the gate's check `repeatable` and `inspect` ask. @defaultValue true */
  readonly deterministic?: boolean | undefined;
  /** Whether a row of C depends on how many rows come with it; only `inspect` looks at it. @defaultValue not promised */
  readonly batchInvariant?: boolean | undefined;
  /**
   * How it computes, where that is not what is measured of the device or else IEEE 754's: how sums and operands round, what
   * becomes of subnormals, how running sums are kept. Each moves its bound and the error that is expected of it;
   * `exceptions: false` frees NaN and infinities; `inspect` looks at `fma`.
   */
  readonly arithmetic?: ArithmeticClaims | undefined;
}

/** The algorithm claimed for a shape, with its levels. */
export interface ClaimedAlgorithm {
  readonly algorithm: string;
  readonly levels: number;
}

/**
 * The algorithm and levels claimed for a shape.
 * @throws ParanoiaError `unknown-name` for the algorithm, `bad-number` for levels that are no whole number from 0 to 15.
 */
export function claimedFor({ algorithm = 'classical', levels }: Claims, shape: Shape): ClaimedAlgorithm {
  const known = algorithmRegistry.items.map(({ name }) => name);
  if (!known.includes(algorithm)) throw unknownName({ what: 'algorithm in claims', given: algorithm, known });
  const usual = algorithm === 'classical' ? 0 : 1;
  const claimed = typeof levels === 'function' ? levels(shape) : (levels ?? usual);
  if (!Number.isInteger(claimed) || claimed < 0 || claimed > 15) {
    throw badNumber({
      what: 'levels in claims',
      given: claimed,
      need: 'a whole number from 0 to 15',
    });
  }
  return { algorithm, levels: claimed };
}

/** What a kernel says about itself, however it multiplies. */
export interface KernelSpec {
  /** The name that cases, reports and `--kernel` use: without spaces, commas, semicolons and quotes. */
  readonly name: string;
  /** What it computes in: the format of A, B and C, and of its sums. @defaultValue 'f32' */
  readonly precision?: string | undefined;
  /** @defaultValue a classical product in that precision, in any order */
  readonly claims?: Claims | undefined;
  /**
   * What it takes beyond A·B of dense matrices: a record, or `everything`; a function or a pattern of sizes alone is that of
   * {@link Accepts.sizes}. What it does not take it is not asked for, and the report says so.
   * @defaultValue A·B of dense matrices, of every shape
   */
  readonly accepts?: 'everything' | Accepts | Accepts['sizes'];
  /** Seconds that one product may take; beyond, the kernel counts as hanging. @defaultValue 60 */
  readonly timeLimit?: number | undefined;
}
