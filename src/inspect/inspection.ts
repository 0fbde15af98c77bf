import * as z from 'zod/mini';
import { grades as reachable } from '../evidence/grade.ts';
import { cuts } from '../precision/sums.ts';

/** How sure an answer is, the surest first. */
export const confidences = ['proved', 'measured', 'likely', 'unknown'] as const;

/** In which order terms are added up, as far as outputs show it. */
export const foundOrders = [
  'sequential',
  'blocked',
  'split-k',
  'interleaved',
  'pairwise',
  'fused',
  'exact',
  'other',
] as const;
export type FoundOrder = (typeof foundOrders)[number];

/** Which error bound a kernel keeps: entry by entry, row by column, of the whole matrix, or none. */
export const grades = [...reachable, 'none'] as const;
export type Grade = (typeof grades)[number];

export const roundings = [
  'to nearest even',
  'to nearest, ties away',
  'toward zero',
  'up',
  'down',
  'other',
] as const;
export type Rounding = (typeof roundings)[number];

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** One question about a kernel, answered from its outputs. */
export const finding = z.object({
  /** Stable: `operand-bits`. */
  id: z.string(),
  question: z.string(),
  /** In plain words. */
  answer: z.string(),
  /** The answer for programs; null where it is not known. */
  value,
  /**
   * `proved`: no kernel that is otherwise gives these outputs; `measured`: every trial agrees; `likely`: the outputs fit,
   * others would too; `unknown`: they say nothing, or the question could not be asked.
   */
  confidence: z.enum(confidences),
  /** What was multiplied, how often, and what came out. */
  evidence: z.string(),
});
export type Finding = z.infer<typeof finding>;

/** How an order was found on one length of sum. */
const orderAt = z.object({
  /** Terms of the sum. */
  k: z.int().check(z.gte(1)),
  order: z.enum(foundOrders),
  /** In plain words: "4 parts of k/4 terms, added in pairs". */
  words: z.string(),
  /** Terms of a block, lane or part that is summed first. */
  each: z.optional(z.int().check(z.gte(1))),
  /** How many of them there are. */
  parts: z.optional(z.int().check(z.gte(1))),
  /** The tree, abbreviated: `((0…7) + (8…15))`. */
  tree: z.string(),
});

/** The levels of recursion that outputs of one size show. */
const levelsAt = z.object({
  n: z.int().check(z.gte(1)),
  algorithm: z.string(),
  /** Absent where the method is Strassen-like but of no known table. */
  levels: z.optional(z.int().check(z.gte(0))),
});

/** What was measured, in numbers; a key is absent where nothing was. */
export const measured = z.object({
  /** Whether C is the product of A and B where nothing needs to be rounded. */
  multiplies: z.optional(z.boolean()),
  /** Where it is not. */
  wrongAt: z.optional(z.string()),
  /** Significant bits of the entries of A and B that reach the products; at least so many where sums hide more. */
  operandBits: z.optional(z.int().check(z.gte(0))),
  /** Whether more of {@link operandBits} may be hidden behind narrow sums. */
  operandBitsHidden: z.optional(z.boolean()),
  /** Whether entries from 2^-40 to 2^40 are multiplied: not where they become f16. */
  wideExponents: z.optional(z.boolean()),
  /** How entries of more bits are rounded to {@link operandBits}. */
  operandRounding: z.optional(z.enum(roundings)),
  /** Significant bits of a product before it is added. */
  productBits: z.optional(z.int().check(z.gte(0))),
  /** Significant bits that a sum keeps: of all sums in the tree that was found, the fewest. */
  accumulatorBits: z.optional(z.int().check(z.gte(0))),
  /** The most, where not all sums keep the same. */
  accumulatorBitsMost: z.optional(z.int().check(z.gte(0))),
  /** Whether what a sum loses in rounding is added again, as in Kahan's. */
  compensated: z.optional(z.boolean()),
  /** Whether a sum is kept in two words, so that its bits need not be neighbours. */
  sumsInWords: z.optional(z.boolean()),
  /** Of sums; `other` where not all round alike. */
  rounding: z.optional(z.enum(roundings)),
  /** Significant bits of the sums of blocks of a Strassen-like method. */
  blockSumBits: z.optional(z.int().check(z.gte(0))),
  storedBits: z.optional(z.int().check(z.gte(0))),
  /** How sums are rounded to {@link storedBits}, where they keep more. */
  storedRounding: z.optional(z.enum(roundings)),
  /** Whether products are added without being rounded first. */
  fused: z.optional(z.boolean()),
  /** To what factors of blocks are applied, where they are told apart. */
  factors: z.optional(
    z.enum(['elements', 'products', 'sums', 'elements of A, sums for B', 'elements of B, sums for A']),
  ),
  /** What zero points are subtracted from, as far as that can be told. */
  zeroPoints: z.optional(z.enum(['elements', 'sums'])),
  /** The power of two beyond which sums of whole numbers are not exact, where one was found. */
  wholeSums: z.optional(z.int().check(z.gte(1))),
  flushesOperands: z.optional(z.boolean()),
  flushesResults: z.optional(z.boolean()),
  /** Whether infinities and NaN come out where IEEE 754 says, and nowhere else. */
  exceptions: z.optional(z.boolean()),
  /** True if no more is wrong with them than that an infinity becomes NaN. */
  infinitiesBecomeNaN: z.optional(z.boolean()),
  /** Places along k from a term to the next, where only blocks were told apart, not the terms within. */
  termsApart: z.optional(z.int().check(z.gte(2))),
  order: z.optional(z.enum(foundOrders)),
  orders: z.optional(z.array(orderAt)),
  /** Into how many parts k is split, and how it is cut into them, as a claim says it. */
  split: z.optional(
    z.object({
      parts: z.int().check(z.gte(2)),
      cut: z.union([z.enum(cuts), z.object({ tile: z.int().check(z.gte(1)) })]),
    }),
  ),
  /** The name of a table, `classical`, `strassen-like`, `fixed-point`; `mixed-up` where C has terms that are not its own. */
  algorithm: z.optional(z.string()),
  /** At the largest size asked. */
  levels: z.optional(z.int().check(z.gte(0))),
  levelsBySize: z.optional(z.array(levelsAt)),
  grade: z.optional(z.enum(grades)),
  deterministic: z.optional(z.boolean()),
  batchInvariant: z.optional(z.boolean()),
});
export type Measured = z.infer<typeof measured>;

/** What a kernel is, as its outputs tell. */
export const inspection = z.object({
  kernel: z.string(),
  /** What it claims to compute in. */
  precision: z.string(),
  /** Whether only the quick questions were asked. */
  quick: z.boolean(),
  seed: z.int(),
  findings: z.array(finding),
  measured,
  /** The worst entry beyond the bound of what the kernel claims, in a sentence; absent where every product keeps it. */
  beyondClaims: z.optional(z.string()),
  /** How the kernel threw, died, hung or answered with something else than a product, a sentence each. */
  crashes: z.optional(z.array(z.string())),
  /** Products computed. */
  products: z.int().check(z.gte(0)),
  seconds: z.number().check(z.gte(0)),
  /** Why no claim is printed, in a sentence; absent where none was tried, and where one holds. */
  unclaimed: z.optional(z.string()),
  /** What the claims say and the findings disprove; absent where they were not compared. */
  contradictions: z.optional(z.array(z.string())),
});
export type Inspection = z.infer<typeof inspection>;
