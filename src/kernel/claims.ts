import { algorithms } from '../algorithms/algorithms.ts';
import type { PrecisionName } from '../formats/precision.ts';
import type { Shape } from '../matrix/dense.ts';
import { problem } from '../problems.ts';

/** In which order a kernel adds up the products of one entry of C. */
export const orders = ['any', 'sequential', 'blocked', 'pairwise', 'split-k'] as const;
export type Order = (typeof orders)[number];

/**
 * What a kernel promises, and so which bound it is held to. Whatever is left out is not promised: a classical product,
 * in any order.
 */
export interface Claims {
  /** `classical`, `strassen` or `winograd`. @defaultValue 'classical' */
  readonly algorithm?: string | undefined;
  /**
   * Levels of recursion, for all shapes or by shape; size limits below which an implementation stops recursing belong
   * here. @defaultValue 0 for `classical`, 1 for the others
   */
  readonly levels?: number | ((shape: Shape) => number) | undefined;
  /** The order of its sums; only `inspect` looks at it. @defaultValue 'any' */
  readonly order?: Order | undefined;
  /** Whether products are added with one rounding; only `inspect` looks at it. @defaultValue not promised */
  readonly fused?: boolean | undefined;
  /** Whether the same operands give the same bits: the gate's check `repeatable` and `inspect` ask. @defaultValue true */
  readonly deterministic?: boolean | undefined;
  /** Whether a row of C depends on how many rows come with it; only `inspect` looks at it. @defaultValue not promised */
  readonly batchInvariant?: boolean | undefined;
  /** Whether NaN and infinities appear where IEEE 754 says. @defaultValue true */
  readonly exceptions?: boolean | undefined;
}

/** The algorithm claimed for a shape, with its levels. */
export interface ClaimedAlgorithm {
  readonly algorithm: string;
  readonly levels: number;
}

/**
 * The algorithm and levels claimed for a shape.
 * @throws Problem `unknown-name` for the algorithm, `bad-number` for levels that are no whole number from 0 to 15.
 */
export function claimedFor({ algorithm = 'classical', levels }: Claims, shape: Shape): ClaimedAlgorithm {
  if (!algorithms.some(({ name }) => name === algorithm)) {
    throw problem('unknown-name', {
      what: 'algorithm in claims',
      given: algorithm,
      known: algorithms.map(({ name }) => name),
    });
  }
  const usual = algorithm === 'classical' ? 0 : 1;
  const claimed = typeof levels === 'function' ? levels(shape) : (levels ?? usual);
  if (!Number.isInteger(claimed) || claimed < 0 || claimed > 15) {
    throw problem('bad-number', {
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
  readonly precision?: PrecisionName | undefined;
  /** @defaultValue a classical product in that precision, in any order */
  readonly claims?: Claims | undefined;
  /** Whether it multiplies a shape: true, or why not, as a clause after "because". @defaultValue every shape */
  readonly accepts?: ((shape: Shape) => true | string) | undefined;
  /** Seconds that one product may take; beyond, the kernel counts as hanging. @defaultValue 60 */
  readonly timeLimit?: number | undefined;
}
