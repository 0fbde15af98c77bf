import * as z from 'zod/mini';
import { grades as reachable } from '../evidence/grade.ts';
import { partialFormats } from '../precision/claimed-rounding.ts';
import { cuts } from '../precision/sums.ts';

/** The confidences of an answer, the surest first. */
export const confidences = ['proved', 'measured', 'likely', 'unknown'] as const;

/** The orders of summation that outputs can show. */
const foundOrders = [
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

/** The error bounds that a kernel keeps: entry by entry, row by column, of the whole matrix, or none. */
export const grades = [...reachable, 'none'] as const;
export type FoundGrade = (typeof grades)[number];

const roundings = ['to nearest even', 'to nearest, ties away', 'toward zero', 'up', 'down', 'other'] as const;
export type FoundRounding = (typeof roundings)[number];

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** One question about a kernel, answered from its outputs. */
const finding = z.object({
  /** Stable identifier: `operand-bits`. */
  id: z.string(),
  question: z.string(),
  /** In plain words. */
  answer: z.string(),
  /** The answer for programs; null where it is unknown. */
  value,
  /**
   * `proved`: only a kernel with this property gives these outputs. `measured`: every trial agrees. `likely`: the outputs fit, but other
   * properties would fit too. `unknown`: the outputs show nothing, or the question could not be asked.
   */
  confidence: z.enum(confidences),
  /** The products, their number, and their results. */
  evidence: z.string(),
});
export type InspectionFinding = z.infer<typeof finding>;

/** The order that was found for one length of sum. */
const orderAt = z.object({
  /** Terms of the sum. */
  k: z.int().check(z.gte(1)),
  order: z.enum(foundOrders),
  /** In plain words: "4 parts of k/4 terms, added in pairs". */
  words: z.string(),
  /** Terms of a block, lane or part that is summed first. */
  each: z.optional(z.int().check(z.gte(1))),
  /** Number of these blocks, lanes or parts. */
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

/** The measured properties, in numbers; a key is absent where nothing was measured. */
const measures = z.object({
  /** True if C is the product of A and B where nothing needs to be rounded. */
  multiplies: z.optional(z.boolean()),
  /** The position of a wrong entry. */
  wrongAt: z.optional(z.string()),
  /** Significant bits of the entries of A and B that reach the products; a minimum where sums hide more. */
  operandBits: z.optional(z.int().check(z.gte(0))),
  /** True if narrow sums may hide more of {@link operandBits}. */
  operandBitsHidden: z.optional(z.boolean()),
  /** True if entries from 2^-40 to 2^40 are multiplied; false where they become f16. */
  wideExponents: z.optional(z.boolean()),
  /** The rounding of entries with more bits to {@link operandBits}. */
  operandRounding: z.optional(z.enum(roundings)),
  /** Significant bits of a product before it is added. */
  productBits: z.optional(z.int().check(z.gte(0))),
  /** Fewest significant bits that a sum keeps, of all sums in the tree that was found. */
  accumulatorBits: z.optional(z.int().check(z.gte(0))),
  /** Most significant bits that a sum keeps, where not all sums keep the same. */
  accumulatorBitsMost: z.optional(z.int().check(z.gte(0))),
  /** True if a sum's rounding errors are added again, as in Kahan's summation. */
  compensated: z.optional(z.boolean()),
  /** True if a sum is kept in two words, so that its bits need not be adjacent. */
  sumsInWords: z.optional(z.boolean()),
  /** The rounding of sums; `other` where not all round alike. */
  rounding: z.optional(z.enum(roundings)),
  /** Significant bits of the sums of blocks of a Strassen-like method. */
  blockSumBits: z.optional(z.int().check(z.gte(0))),
  storedBits: z.optional(z.int().check(z.gte(0))),
  /** The rounding of sums to {@link storedBits}, where they keep more bits. */
  storedRounding: z.optional(z.enum(roundings)),
  /** True if products are added without being rounded first. */
  fused: z.optional(z.boolean()),
  /** The numbers that factors of blocks multiply, where these can be distinguished. */
  factors: z.optional(
    z.enum(['elements', 'products', 'sums', 'elements of A, sums for B', 'elements of B, sums for A']),
  ),
  /** The numbers that zero points are subtracted from, as far as outputs show it. */
  zeroPoints: z.optional(z.enum(['elements', 'sums'])),
  /** The power of two beyond which sums of whole numbers are not exact, where one was found. */
  wholeSums: z.optional(z.int().check(z.gte(1))),
  flushesOperands: z.optional(z.boolean()),
  flushesResults: z.optional(z.boolean()),
  /** True if infinities and NaN come out where IEEE 754 says, and nowhere else. */
  exceptions: z.optional(z.boolean()),
  /** True if the only deviation from IEEE 754 is that an infinity becomes NaN. */
  infinitiesBecomeNaN: z.optional(z.boolean()),
  /** Places along k from a term to the next, where only blocks were told apart, not the terms within. */
  termsApart: z.optional(z.int().check(z.gte(2))),
  order: z.optional(z.enum(foundOrders)),
  orders: z.optional(z.array(orderAt)),
  /** The number of parts of k, and the cut into them, in the words of a claim. */
  split: z.optional(
    z.object({
      parts: z.int().check(z.gte(2)),
      cut: z.union([z.enum(cuts), z.object({ tile: z.int().check(z.gte(1)) })]),
    }),
  ),
  /** The sums of parts of k, where they keep fewer bits than sums within parts. */
  partialSums: z.optional(
    z.object({
      parts: z.int().check(z.gte(2)),
      /** Significant bits of the sum of a part, and of sums within a part. */
      bits: z.int(),
      ownBits: z.int(),
      /** Significant bits of sums of parts, where these keep fewer than sums within parts. */
      addedBits: z.optional(z.int()),
      /** The formats with so many bits, in the words of a claim. */
      format: z.optional(z.enum(partialFormats)),
      added: z.optional(z.enum(partialFormats)),
    }),
  ),
  /** The name of a table, `classical`, `strassen-like`, `fixed-point`; `mixed-up` where C has terms that are not its own. */
  algorithm: z.optional(z.string()),
  /** Levels at the largest size that was tried. */
  levels: z.optional(z.int().check(z.gte(0))),
  levelsBySize: z.optional(z.array(levelsAt)),
  grade: z.optional(z.enum(grades)),
  /** The steps that outputs fit behind each claimed epilogue. */
  epilogues: z.optional(
    z.array(
      z.object({
        claimed: z.string(),
        /** True if every entry is one that the claimed steps allow. */
        isClaimed: z.boolean(),
        /** The mistakes that allow every entry too. */
        others: z.array(z.string()),
      }),
    ),
  ),
  deterministic: z.optional(z.boolean()),
  batchInvariant: z.optional(z.boolean()),
});
export type InspectionMeasures = z.infer<typeof measures>;

/** The properties of a kernel, inferred from its outputs. */
export const inspection = z.object({
  kernel: z.string(),
  /** The precision that the kernel claims to compute in. */
  precision: z.string(),
  /** True if only the quick questions were asked. */
  quick: z.boolean(),
  seed: z.int(),
  findings: z.array(finding),
  measures,
  /** The worst entry beyond the bound of the kernel's claims, in a sentence; absent where every product keeps it. */
  beyondClaims: z.optional(z.string()),
  /** The kernel's exceptions, crashes, timeouts and answers that are no product, a sentence each. */
  crashes: z.optional(z.array(z.string())),
  /** Number of products computed. */
  products: z.int().check(z.gte(0)),
  seconds: z.number().check(z.gte(0)),
  /** The reason why no claim is printed, in a sentence; absent where none was tried, and where one holds. */
  unclaimed: z.optional(z.string()),
  /** The claims that the findings disprove; absent where they were not compared. */
  contradictions: z.optional(z.array(z.string())),
});
export type Inspection = z.infer<typeof inspection>;
