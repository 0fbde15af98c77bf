import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry, isOfComplex, ONE_LEVEL } from '../algorithms/algorithms.ts';
import { directions } from '../algorithms/symmetries.ts';
import { badNumber, unknownName } from '../base/messages.ts';
import { hintOf } from '../base/nearest.ts';
import type { Registry } from '../base/registry.ts';
import type { Shape } from '../matrix/dense.ts';
import { styles } from '../plan/plan.ts';
import type { ArithmeticClaims } from '../precision/arithmetic.ts';
import type { ScaleLayoutName } from '../precision/coding/scale-layouts.ts';
import type { ClaimedSums } from '../precision/sums.ts';
import type { Convention } from '../readers/convention.ts';
import { claimedFringes } from '../readers/partition.ts';
import type { Recursion } from '../readers/recursion.ts';
import type { Accepts } from './accepts.ts';
import { badRecursion } from './messages.ts';

/**
 * What a kernel promises, and so which bound it is held to. Whatever is left out is not promised: a classical product,
 * in any order.
 */
export interface Claims extends ClaimedSums {
  /** The name of one, such as `strassen`; of complex precisions also `3m`, and `4m`, which is classical. @defaultValue 'classical' */
  readonly algorithm?: string | undefined;
  /**
   * Levels of recursion, for all shapes or by shape; size limits below which an implementation stops recursing belong
   * here. @defaultValue 0 for `classical`, 1 for the others
   */
  readonly levels?: number | ((shape: Shape) => number) | undefined;
  /**
   * How a fast algorithm recurses: then it is held to the bound of that very partition and, but where it names the schedule too, what
   * another order of its sums may add. @defaultValue in any way, which
   * makes its bound the same for every entry
   */
  readonly recursion?: Recursion | undefined;
  /** Where it multiplies by alpha: entries of A or B, or complete sums, in their formats or in narrower ones. @defaultValue either, not narrowed */
  readonly alpha?: Convention['alpha'];
  /** Whether its sums begin with beta·C, or it is added to complete sums, or to rounded ones. @defaultValue either, not rounded */
  readonly beta?: Convention['beta'];
  /** Whether the same operands give the same bits: the gate's check `repeatable` and `inspect` ask. @defaultValue true */
  readonly deterministic?: boolean | undefined;
  /** Whether a row of C depends on how many rows come with it; only `inspect` looks at it. @defaultValue not promised */
  readonly batchInvariant?: boolean | undefined;
  /**
   * How it computes, where that is not what is measured of the device or else IEEE 754's: how sums and operands round, what
   * becomes of subnormals, how running sums are kept. Each moves its bound and the error that is expected of it;
   * `exceptions: 'nan'` lets infinities become NaN, `false` frees both; `inspect` looks at `fma`.
   */
  readonly arithmetic?: ArithmeticClaims | undefined;
}

/** What four real products of complex ones are: classical, each part a sum of twice as many products. */
const FOUR_M = '4m';

/** The algorithm claimed for a shape, with its levels. */
export interface ClaimedAlgorithm {
  readonly algorithm: string;
  readonly table: Algorithm;
  readonly levels: number;
}

/**
 * The algorithm and levels claimed for a shape.
 * @throws ParanoiaError `unknown-name` for the algorithm, `bad-number` for levels that are no whole number from 0 to 15.
 */
export function claimedFor(
  { algorithm: named = 'classical', levels, recursion }: Claims,
  shape: Shape,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): ClaimedAlgorithm {
  const algorithm = named === FOUR_M ? 'classical' : named;
  const table = algorithms.get(algorithm);
  if (table === undefined)
    throw unknownName({ what: 'algorithm in claims', given: algorithm, known: algorithms.names });
  const usual = algorithm === 'classical' ? 0 : 1;
  const claimed = typeof levels === 'function' ? levels(shape) : (levels ?? usual);
  if (!Number.isInteger(claimed) || claimed < 0 || claimed > 15) {
    throw badNumber({
      what: 'levels in claims',
      given: claimed,
      need: 'a whole number from 0 to 15',
    });
  }
  if (claimed > 1 && isOfComplex(table))
    throw badNumber({ what: `levels of ${algorithm} in claims`, given: claimed, need: ONE_LEVEL });
  requireRecursion(algorithm, recursion);
  return { algorithm, table, levels: claimed };
}

/** @throws ParanoiaError `bad-recursion` */
function requireRecursion(algorithm: string, recursion: Claims['recursion']): void {
  if (recursion === undefined) return;
  const wrong = (why: string) => badRecursion({ why });
  if (typeof recursion !== 'object' || recursion === null)
    throw wrong('it must be a record such as { fringe: "static-pad" }');
  if (algorithm === 'classical')
    throw wrong('a classical product does not recurse: leave it out, or name the algorithm');
  const { fringe, schedule, reversed = [], transposed, turned, ...rest } = recursion;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw wrong(
      `it has no "${unknown}"${hintOf(unknown, ['fringe', 'schedule', 'reversed', 'transposed', 'turned'])}`,
    );
  if (!claimedFringes.includes(fringe)) throw wrong(`its fringe must be one of ${claimedFringes.join(', ')}`);
  const orders = Object.keys(styles);
  if (schedule !== undefined && !orders.includes(schedule))
    throw wrong(`its schedule must be one of ${orders.join(', ')}`);
  if (!Array.isArray(reversed) || !reversed.every((one) => directions.includes(one)))
    throw wrong(`what is reversed must be a list of ${directions.join(', ')}`);
  if (transposed !== undefined && typeof transposed !== 'boolean')
    throw wrong('transposed must be true or false');
  if (turned !== undefined && ![0, 1, 2].includes(turned)) throw wrong('turned must be 0, 1 or 2');
}

/** What a kernel says about itself, however it multiplies. */
export interface KernelSpec {
  /** The name that cases, reports and `--kernel` use: without spaces, commas, semicolons and quotes. */
  readonly name: string;
  /** What it computes in: the format of A, B and C, and of its sums. @defaultValue 'f32' */
  readonly precision?: string | undefined;
  /**
   * How it wants the factors of blocks of coded operands to lie: a row of blocks after the other, or in tiles of 128×4 as matrix
   * units of Blackwell read them (cuBLASLt, "1D block scaling factors layout").
   * @defaultValue 'plain'
   */
  readonly scales?: ScaleLayoutName | undefined;
  /** @defaultValue a classical product in that precision, in any order */
  readonly claims?: Claims | undefined;
  /**
   * What it takes beyond A·B of dense matrices: a record, or `everything`; a function or a pattern of sizes alone is that of
   * {@link Accepts.sizes}. What it does not take it is not asked for, and the report says so.
   * @defaultValue A·B of dense matrices, of every shape
   */
  readonly accepts?: 'everything' | Accepts | Accepts['sizes'];
  /**
   * Seconds that one product may take; beyond, the kernel counts as hanging. Getting ready before the first may take 120 more, or as
   * long as this where it is longer. @defaultValue 60
   */
  readonly timeLimit?: number | undefined;
}
