import { z } from 'zod';
import { reportedShape } from '../problem/schema.ts';
import { productMaps } from './heat-map.ts';

/** A number that JSON cannot hold is written as a string. */
export const real = z.union([z.number(), z.literal(['Infinity', '-Infinity', 'NaN'])]);

export const verdicts = ['pass', 'fail', 'inconclusive'] as const;
export type Verdict = (typeof verdicts)[number];

const entry = z.object({
  i: z.int().min(0),
  j: z.int().min(0),
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
  unequal: z.int().min(0),
  disagreements: z.int().min(0),
  worst: entry.optional(),
});

export const checkResult = z.object({
  name: z.string(),
  /** `vacuous`: the check holds but could not have failed; it does not count as a pass. */
  status: z.enum(['pass', 'fail', 'inconclusive', 'vacuous', 'not-applicable']),
  /** One sentence: what was found, what was allowed. */
  message: z.string(),
  found: real.optional(),
  allowed: real.optional(),
  /** Of a check that fails: the mistake that explains every wrong entry that was compared, by its name and as a clause. */
  looksLike: z.object({ cause: z.string(), says: z.string() }).optional(),
});
export type CheckResult = z.infer<typeof checkResult>;

/** The largest error of each cell of a grid over C, at most 64 by 64. */
const errorMap = z.object({
  rows: z.int().min(1),
  cols: z.int().min(1),
  /** Row-major: the largest |error| of the entries in the cell. */
  cells: z.array(real),
  /** Where each level cuts C, the outermost first: the first rows and columns of blocks; at most five levels. */
  cuts: z.array(z.object({ rows: z.array(z.int()), cols: z.array(z.int()) })).optional(),
});
export type ErrorMap = z.infer<typeof errorMap>;

/** Entries of C by the size of their error in sigmas. */
const histogram = z.object({
  /** The width of a bin, in sigmas; bin i holds errors from i·width up to (i + 1)·width. */
  width: z.number().positive(),
  /** Signed errors: bins from −half to +half of their number; those beyond are in the outermost. */
  counts: z.array(z.int().min(0)),
});
export type Histogram = z.infer<typeof histogram>;

/** Entries around the worst one, at most 5 by 5, row by row. */
export const excerpt = z.object({
  /** The first row and column that it shows; of a batch, the products lie one below the other. */
  row: z.int().min(0),
  col: z.int().min(0),
  found: z.array(z.array(real)),
  /** The exact product; null of entries that were not compared. */
  expected: z.array(z.array(real.nullable())),
  /** found − expected, before either is rounded. */
  difference: z.array(z.array(real.nullable())),
});
export type Excerpt = z.infer<typeof excerpt>;

export const caseResult = z.object({
  ...reportedShape,
  algorithm: z.string(),
  leaf: z.string(),
  /** The leaf kernel that ran, where `leaf` is a family. */
  leafKernel: z.string().optional(),
  /** Levels used, fewer than asked for where peeling ran out of rows or columns. */
  levelsUsed: z.int().min(0),
  /** Whether the case belongs to the growth series. */
  series: z.boolean(),
  verdict: z.enum(verdicts),
  /** Why: the message of the check that decided. */
  reason: z.string(),
  /** Of a case that fails: that the failure is known and let through, why, and to the end of which day. */
  waived: z.object({ reason: z.string(), expires: z.string() }).optional(),
  /** Of a case that passes alone: those after which it fails, in one process, the fewest that were found. */
  after: z.array(z.string()).optional(),
  /** Of a case that fails by chance: how often it did of so many times alone. */
  unsteady: z.object({ failed: z.int().min(0), runs: z.int().min(1) }).optional(),
  /** The command that runs this case alone, or after those that it fails after. */
  replay: z.string(),
  checks: z.array(checkResult),
  exact: measures.optional(),
  ideal: measures.optional(),
  /** Of coded operands: errors against the product of what they were before, of the exact product and of the computed one. */
  quantisation: z.object({ coding: measures, endToEnd: measures }).optional(),
  /** The error in units of what the sigma reader expects; and the largest sigma. */
  sigma: z.object({ worst: real, largest: real }).optional(),
  /** The largest running bound, and the largest ratio of error to bound. */
  runningBound: z.object({ largest: real, used: real, vacuous: z.boolean() }).optional(),
  /** The a-priori bound of the literature, and whether it says less than nothing (exceeds rms(C)). */
  aPriori: z.object({ bound: real, vacuous: z.boolean() }).optional(),
  /** Whether the device gave the bits of the mirror; absent where its arithmetic is not mirrored. */
  mirrorEqual: z.boolean().optional(),
  /** Seconds on the device. */
  seconds: z.number().min(0).optional(),
  /** Seconds that judging it took: product, reference, and runs to see whether a failure is its own. */
  took: z.number().min(0).optional(),
  /** The share of the entries compared with the exact product, where that was not all of them. */
  checked: z.number().min(0).max(1).optional(),
  /** How a product was judged that was too large to compare each entry: random signed sums of all, and exact parts. */
  judgedBy: z
    .object({
      projections: z.int().min(0),
      rows: z.int().min(0),
      cols: z.int().min(0),
      tiles: z.int().min(0),
      entries: z.int().min(0),
    })
    .optional(),
  /** The mean error in units of that of the baseline, where one is recorded. */
  sinceBaseline: real.optional(),
  /** What the wrong entries look like, of the smallest case of each group of failures. */
  excerpt: excerpt.optional(),
  /** Where the errors lie, for a few cases of a report. */
  errorMap: errorMap.optional(),
  /** How often errors are so many sigmas, for a few cases of a report. */
  histogram: histogram.optional(),
  /** Pictures of the operands, the product and its errors, of a few failing cases. */
  maps: productMaps.optional(),
});
export type CaseResult = z.infer<typeof caseResult>;
