import { z } from 'zod';
import { grades as reachable } from '../evidence/grade.ts';

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
  k: z.int().min(1),
  order: z.enum(foundOrders),
  /** In plain words: "4 parts of k/4 terms, added in pairs". */
  words: z.string(),
  /** Terms of a block, lane or part that is summed first. */
  each: z.int().min(1).optional(),
  /** How many of them there are. */
  parts: z.int().min(1).optional(),
  /** The tree, abbreviated: `((0…7) + (8…15))`. */
  tree: z.string(),
});

/** The levels of recursion that outputs of one size show. */
const levelsAt = z.object({
  n: z.int().min(1),
  algorithm: z.string(),
  /** Absent where the method is Strassen-like but of no known table. */
  levels: z.int().min(0).optional(),
});

/** What was measured, in numbers; a key is absent where nothing was. */
export const measured = z.object({
  /** Whether C is the product of A and B where nothing needs to be rounded. */
  multiplies: z.boolean().optional(),
  /** Where it is not. */
  wrongAt: z.string().optional(),
  /** Significant bits of the entries of A and B that reach the products; at least so many where sums hide more. */
  operandBits: z.int().min(0).optional(),
  /** Whether more of {@link operandBits} may be hidden behind narrow sums. */
  operandBitsHidden: z.boolean().optional(),
  /** Whether entries from 2^-40 to 2^40 are multiplied: not where they become f16. */
  wideExponents: z.boolean().optional(),
  /** How entries of more bits are rounded to {@link operandBits}. */
  operandRounding: z.enum(roundings).optional(),
  /** Significant bits of a product before it is added. */
  productBits: z.int().min(0).optional(),
  /** Significant bits that a sum keeps: of all sums in the tree that was found, the fewest. */
  accumulatorBits: z.int().min(0).optional(),
  /** The most, where not all sums keep the same. */
  accumulatorBitsMost: z.int().min(0).optional(),
  /** Whether what a sum loses in rounding is added again, as in Kahan's. */
  compensated: z.boolean().optional(),
  /** Whether a sum is kept in two words, so that its bits need not be neighbours. */
  sumsInWords: z.boolean().optional(),
  rounding: z.enum(roundings).optional(),
  /** Significant bits of the sums of blocks of a Strassen-like method. */
  blockSumBits: z.int().min(0).optional(),
  storedBits: z.int().min(0).optional(),
  /** Whether products are added without being rounded first. */
  fused: z.boolean().optional(),
  /** To what factors of blocks are applied, where they are told apart. */
  factors: z
    .enum(['elements', 'products', 'sums', 'elements of A, sums for B', 'elements of B, sums for A'])
    .optional(),
  /** The power of two beyond which sums of whole numbers are not exact, where one was found. */
  wholeSums: z.int().min(1).optional(),
  flushesOperands: z.boolean().optional(),
  flushesResults: z.boolean().optional(),
  /** Whether infinities and NaN come out where IEEE 754 says, and nowhere else. */
  exceptions: z.boolean().optional(),
  /** Places along k from a term to the next, where only blocks were told apart, not the terms within. */
  termsApart: z.int().min(2).optional(),
  order: z.enum(foundOrders).optional(),
  orders: z.array(orderAt).optional(),
  /** The name of a table, `classical`, `strassen-like`, `fixed-point`; `mixed-up` where C has terms that are not its own. */
  algorithm: z.string().optional(),
  /** At the largest size asked. */
  levels: z.int().min(0).optional(),
  levelsBySize: z.array(levelsAt).optional(),
  grade: z.enum(grades).optional(),
  deterministic: z.boolean().optional(),
  batchInvariant: z.boolean().optional(),
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
  beyondClaims: z.string().optional(),
  /** How the kernel threw, died, hung or answered with something else than a product, a sentence each. */
  crashes: z.array(z.string()).optional(),
  /** Products computed. */
  products: z.int().min(0),
  seconds: z.number().min(0),
  /** What the claims say and the findings disprove; absent where they were not compared. */
  contradictions: z.array(z.string()).optional(),
});
export type Inspection = z.infer<typeof inspection>;
