import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry, isOfComplex, ONE_LEVEL } from '../algorithms/algorithms.ts';
import { badNumber, unknownName } from '../base/messages.ts';
import type { Registry } from '../base/registry.ts';
import type { Shape } from '../matrix/dense.ts';
import type { ScaleLayoutName } from '../precision/coding/scale-layouts.ts';
import {
  type AcceptedProducts,
  type claimRecords,
  levelsOfShape,
  type StatedProperties,
} from './claim-records.ts';

/** The claims of a kernel, which decide its bound. A property that is left out is not promised: a classical product, in any order. */
export interface Claims extends StatedProperties<typeof claimRecords> {}

/** The name of a complex product by four real ones: classical, each part a sum of twice as many products. */
const FOUR_M = '4m';

/** The algorithm claimed for a shape, with its levels. */
export interface ClaimedAlgorithm {
  readonly algorithm: string;
  readonly table: Algorithm;
  readonly levels: number;
}

/**
 * Returns the algorithm and levels claimed for a shape.
 * @throws ParanoiaError `unknown-name` for the algorithm, `bad-number` for levels that are no whole number from 0 to 15.
 */
export function claimedAlgorithmFor(
  { algorithm: named = 'classical', levels }: Claims,
  shape: Shape,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): ClaimedAlgorithm {
  const algorithm = named === FOUR_M ? 'classical' : named;
  const table = algorithms.get(algorithm);
  if (table === undefined)
    throw unknownName({ what: 'algorithm in claims', given: algorithm, known: algorithms.names });
  const usual = algorithm === 'classical' ? 0 : 1;
  const claimed = typeof levels === 'function' ? levels(shape) : (levels ?? usual);
  if (!levelsOfShape.type.safeParse(claimed).success)
    throw badNumber({ what: 'its claims.levels', given: claimed, need: levelsOfShape.need });
  if (claimed > 1 && isOfComplex(table))
    throw badNumber({ what: `its claims.levels of ${algorithm}`, given: claimed, need: ONE_LEVEL });
  return { algorithm, table, levels: claimed };
}

/** The properties of a kernel that do not depend on how it multiplies. */
export interface KernelSpec {
  /** The name that cases, reports and `--kernel` use: without spaces, commas, semicolons and quotes. */
  readonly name: string;
  /** The precision: the format of A, B and C, and of its sums. @defaultValue 'f32' */
  readonly precision?: string | undefined;
  /**
   * Layout of the factors of blocks of coded operands: row after row of blocks, or in tiles of 128×4 as matrix units of Blackwell read
   * them (cuBLASLt, "1D block scaling factors layout").
   * @defaultValue 'plain'
   */
  readonly scales?: ScaleLayoutName | undefined;
  /** Its claims. @defaultValue a classical product in that precision, in any order */
  readonly claims?: Claims | undefined;
  /**
   * The products it accepts beyond A·B of dense matrices: a record, or `everything`; a function or a pattern of sizes alone is that of
   * {@link AcceptedProducts.sizes}. The kernel gets no other products, and the report says so.
   * @defaultValue A·B of dense matrices, of every shape
   */
  readonly accepts?: 'everything' | AcceptedProducts | AcceptedProducts['sizes'];
  /**
   * Seconds that one product may take; beyond, the kernel counts as hanging. Startup before the first product may take 120 more, or as
   * long as this where it is longer.
   * @defaultValue 60
   */
  readonly timeLimit?: number | undefined;
}
