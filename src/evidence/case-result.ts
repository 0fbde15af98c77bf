import * as z from 'zod/mini';
import { reportedShape } from '../problem/schema.ts';
import { productMaps } from './heat-map.ts';

/** A number; one that JSON cannot hold is written as a string. */
export const real = z.union([z.number(), z.literal(['Infinity', '-Infinity', 'NaN'])]);

export const checkResult = z.object({
  name: z.string(),
  /** `vacuous`: the check holds but could not have failed; it does not count as a pass. */
  status: z.enum(['pass', 'fail', 'inconclusive', 'vacuous', 'not-applicable']),
  /** One sentence: the value found, and the value allowed. */
  message: z.string(),
  found: z.optional(real),
  allowed: z.optional(real),
  /** For a check that fails: the mistake that explains every wrong entry compared, as a name and as a clause. */
  looksLike: z.optional(z.object({ cause: z.string(), says: z.string() })),
});
export type CheckResult = z.infer<typeof checkResult>;

export const verdicts = ['pass', 'fail', 'inconclusive'] as const;
export type Verdict = (typeof verdicts)[number];

const entry = z.object({
  i: z.int().check(z.gte(0)),
  j: z.int().check(z.gte(0)),
  computed: real,
  expected: real,
  error: real,
  /** The block of each level that holds the entry: "C21/C12". */
  quadrant: z.string(),
});

/** The measures of one comparison; `measures.ts` defines them. */
const measures = z.object({
  maxError: real,
  meanError: real,
  normalizedMax: real,
  normalizedMean: real,
  componentwise: real,
  normwise: real,
  frobenius: real,
  bits: real,
  unequal: z.int().check(z.gte(0)),
  disagreements: z.int().check(z.gte(0)),
  worst: z.optional(entry),
});

/** The largest error of each cell of a grid over C, at most 64 by 64. */
const errorMap = z.object({
  rows: z.int().check(z.gte(1)),
  cols: z.int().check(z.gte(1)),
  /** Row-major: the largest |error| of the entries in the cell. */
  cells: z.array(real),
  /** Cuts of C at each level, the outermost first: the first rows and columns of blocks; at most five levels. */
  cuts: z.optional(z.array(z.object({ rows: z.array(z.int()), cols: z.array(z.int()) }))),
});
export type ErrorMapResult = z.infer<typeof errorMap>;

/** Counts of the entries of C by their signed error in sigmas. */
const histogram = z.object({
  /** The width of a bin, in sigmas; bin i holds errors from i·width up to (i + 1)·width. */
  width: z.number().check(z.positive()),
  /** Counts of signed errors, in bins from −half to +half of their number; errors beyond are in the outermost bins. */
  counts: z.array(z.int().check(z.gte(0))),
});
export type HistogramResult = z.infer<typeof histogram>;

/** Entries around the worst one, at most 5 by 5, row by row. */
export const excerpt = z.object({
  /** The first row shown; the products of a batch lie one below the other. */
  row: z.int().check(z.gte(0)),
  col: z.int().check(z.gte(0)),
  found: z.array(z.array(real)),
  /** The exact product; null for entries that were not compared. */
  expected: z.array(z.array(z.nullable(real))),
  /** found − expected, before either is rounded. */
  difference: z.array(z.array(z.nullable(real))),
});
export type Excerpt = z.infer<typeof excerpt>;

export const caseResult = z.object({
  ...reportedShape,
  algorithm: z.string(),
  leaf: z.string(),
  /** The leaf kernel that ran, where `leaf` is a family. */
  leafKernel: z.optional(z.string()),
  /** Levels used; fewer than requested where peeling ran out of rows or columns. */
  levelsUsed: z.int().check(z.gte(0)),
  /** True if the case belongs to the growth series. */
  series: z.boolean(),
  verdict: z.enum(verdicts),
  /** Reason for the verdict: the message of the check that decided. */
  reason: z.string(),
  /** Waiver of a failing case: its reason, and the last day on which it holds. */
  waiver: z.optional(z.object({ reason: z.string(), expires: z.string() })),
  /** For a case that passes alone: the shortest list found of cases after which it fails in the same process. */
  after: z.optional(z.array(z.string())),
  /** For a case that fails at random: the number of failures, and of runs alone. */
  unsteady: z.optional(z.object({ failed: z.int().check(z.gte(0)), runs: z.int().check(z.gte(1)) })),
  /** For a wrong product of a sweep: the planned case that found it. */
  sweep: z.optional(z.string()),
  /** The command that runs this case alone, or after the cases that make it fail. */
  replay: z.string(),
  checks: z.array(checkResult),
  exact: z.optional(measures),
  ideal: z.optional(measures),
  /**
   * For coded operands: errors against the product of the operands before coding. `coding` measures the exact product of the codes,
   * `endToEnd` the computed one.
   */
  quantization: z.optional(z.object({ coding: measures, endToEnd: measures })),
  /** The worst error in units of its sigma, and the largest sigma. */
  sigma: z.optional(z.object({ worst: real, largest: real })),
  /** The largest running bound, and the largest ratio of error to bound. */
  runningBound: z.optional(z.object({ largest: real, used: real, vacuous: z.boolean() })),
  /** The a-priori bound of the literature; vacuous if it exceeds rms(C). */
  aPriori: z.optional(z.object({ bound: real, vacuous: z.boolean() })),
  /** True if the device gave the bits of the model; absent where no model has its arithmetic. */
  equalsModel: z.optional(z.boolean()),
  /**
   * Digests of bits: 128 bits of SHA-256, in hexadecimal digits. Equal digests mean equal bits; +0 and −0 differ, all NaNs are equal.
   * Absent where no product was computed, and in results of earlier versions.
   */
  bits: z.optional(
    z.object({
      /** The entries of D as the kernel returned it, row by row, the products of a batch one below the other. */
      d: z.string(),
      /** The entries of A, B and, if there is one, C. */
      operands: z.string(),
    }),
  ),
  /** Seconds on the device. */
  seconds: z.optional(z.number().check(z.gte(0))),
  /** Seconds to judge the case: product, reference, and runs that tell whether a failure is its own. */
  judgingSeconds: z.optional(z.number().check(z.gte(0))),
  /** Share of the entries compared with the exact product; absent where all were. */
  checkedShare: z.optional(z.number().check(z.gte(0), z.lte(1))),
  /**
   * Evidence for a product too large to compare every entry: numbers of random signed sums, and of exact rows, columns, tiles and entries.
   */
  judgedBy: z.optional(
    z.object({
      projections: z.int().check(z.gte(0)),
      rows: z.int().check(z.gte(0)),
      cols: z.int().check(z.gte(0)),
      tiles: z.int().check(z.gte(0)),
      entries: z.int().check(z.gte(0)),
    }),
  ),
  /** The mean error as a multiple of the baseline's, where one is recorded. */
  sinceBaseline: z.optional(real),
  /** Entries around the worst one, for the smallest case of each group of failures. */
  excerpt: z.optional(excerpt),
  /** Largest errors over a grid of C, for a few cases of a report. */
  errorMap: z.optional(errorMap),
  /** Distribution of the errors in sigmas, for a few cases of a report. */
  histogram: z.optional(histogram),
  /** Pictures of the operands, the product and its errors, for a few failing cases. */
  maps: z.optional(productMaps),
});
export type CaseResult = z.infer<typeof caseResult>;

/** Returns the text of the planned case that a result belongs to. */
export const plannedText = ({ case: own, sweep }: Pick<CaseResult, 'case' | 'sweep'>): string => sweep ?? own;
