import * as z from 'zod/mini';
import { reportedShape } from '../problem/schema.ts';
import { checkResult, real } from './check-result.ts';
import { productMaps } from './heat-map.ts';

export const verdicts = ['pass', 'fail', 'inconclusive'] as const;
export type Verdict = (typeof verdicts)[number];

const entry = z.object({
  i: z.int().check(z.gte(0)),
  j: z.int().check(z.gte(0)),
  computed: real,
  expected: real,
  error: real,
  /** Where in the recursion the entry lies: "C21/C12". */
  quadrant: z.string(),
});

/** The measures of one comparison; see the accuracy room for their definitions. */
const measures = z.object({
  maxError: real,
  meanError: real,
  normalisedMax: real,
  normalisedMean: real,
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
  /** Where each level cuts C, the outermost first: the first rows and columns of blocks; at most five levels. */
  cuts: z.optional(z.array(z.object({ rows: z.array(z.int()), cols: z.array(z.int()) }))),
});
export type ErrorMap = z.infer<typeof errorMap>;

/** Entries of C by the size of their error in sigmas. */
const histogram = z.object({
  /** The width of a bin, in sigmas; bin i holds errors from i·width up to (i + 1)·width. */
  width: z.number().check(z.positive()),
  /** Signed errors: bins from −half to +half of their number; those beyond are in the outermost. */
  counts: z.array(z.int().check(z.gte(0))),
});
export type Histogram = z.infer<typeof histogram>;

/** Entries around the worst one, at most 5 by 5, row by row. */
export const excerpt = z.object({
  /** The first row and column that it shows; of a batch, the products lie one below the other. */
  row: z.int().check(z.gte(0)),
  col: z.int().check(z.gte(0)),
  found: z.array(z.array(real)),
  /** The exact product; null of entries that were not compared. */
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
  /** Levels used, fewer than asked for where peeling ran out of rows or columns. */
  levelsUsed: z.int().check(z.gte(0)),
  /** Whether the case belongs to the growth series. */
  series: z.boolean(),
  verdict: z.enum(verdicts),
  /** Why: the message of the check that decided. */
  reason: z.string(),
  /** Of a case that fails: that the failure is known and let through, why, and to the end of which day. */
  waived: z.optional(z.object({ reason: z.string(), expires: z.string() })),
  /** Of a case that passes alone: those after which it fails, in one process, the fewest that were found. */
  after: z.optional(z.array(z.string())),
  /** Of a case that fails by chance: how often it did of so many times alone. */
  unsteady: z.optional(z.object({ failed: z.int().check(z.gte(0)), runs: z.int().check(z.gte(1)) })),
  /** The command that runs this case alone, or after those that it fails after. */
  replay: z.string(),
  checks: z.array(checkResult),
  exact: z.optional(measures),
  ideal: z.optional(measures),
  /** Of coded operands: errors against the product of what they were before, of the exact product and of the computed one. */
  quantisation: z.optional(z.object({ coding: measures, endToEnd: measures })),
  /** The error in units of what the sigma reader expects; and the largest sigma. */
  sigma: z.optional(z.object({ worst: real, largest: real })),
  /** The largest running bound, and the largest ratio of error to bound. */
  runningBound: z.optional(z.object({ largest: real, used: real, vacuous: z.boolean() })),
  /** The a-priori bound of the literature, and whether it says less than nothing (exceeds rms(C)). */
  aPriori: z.optional(z.object({ bound: real, vacuous: z.boolean() })),
  /** Whether the device gave the bits of the mirror; absent where its arithmetic is not mirrored. */
  mirrorEqual: z.optional(z.boolean()),
  /** Seconds on the device. */
  seconds: z.optional(z.number().check(z.gte(0))),
  /** Seconds that judging it took: product, reference, and runs to see whether a failure is its own. */
  took: z.optional(z.number().check(z.gte(0))),
  /** The share of the entries compared with the exact product, where that was not all of them. */
  checked: z.optional(z.number().check(z.gte(0), z.lte(1))),
  /** How a product was judged that was too large to compare each entry: random signed sums of all, and exact parts. */
  judgedBy: z.optional(
    z.object({
      projections: z.int().check(z.gte(0)),
      rows: z.int().check(z.gte(0)),
      cols: z.int().check(z.gte(0)),
      tiles: z.int().check(z.gte(0)),
      entries: z.int().check(z.gte(0)),
    }),
  ),
  /** The mean error in units of that of the baseline, where one is recorded. */
  sinceBaseline: z.optional(real),
  /** What the wrong entries look like, of the smallest case of each group of failures. */
  excerpt: z.optional(excerpt),
  /** Where the errors lie, for a few cases of a report. */
  errorMap: z.optional(errorMap),
  /** How often errors are so many sigmas, for a few cases of a report. */
  histogram: z.optional(histogram),
  /** Pictures of the operands, the product and its errors, of a few failing cases. */
  maps: z.optional(productMaps),
});
export type CaseResult = z.infer<typeof caseResult>;
