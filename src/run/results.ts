import * as z from 'zod/mini';
import { named } from '../base/named.ts';
import { caseResult, verdicts } from '../evidence/case-result.ts';
import { real } from '../evidence/check-result.ts';
import { type ProbeAnswer, standings } from '../gpu/probe/answer.ts';
import { inspection } from '../inspect/inspection.ts';
import { failureGroup } from './groups/group.ts';
import { RESULTS_SCHEMA } from './results-schema.ts';

/**
 * The results file: what a gate ran, on what, and what came of it. This schema is the file's definition; the JSON
 * Schema that ships in the package is made from it.
 */

/** Which subnormal numbers a device flushes. */
const flushing = z.object({ operands: z.boolean(), below: z.number() });

/** One question to the device's arithmetic, and its answer: see {@link ProbeAnswer}. */
const probeAnswer = z.object({
  id: z.string(),
  group: z.string(),
  question: z.string(),
  answer: z.string(),
  promise: z.string(),
  standing: z.enum(standings),
}) satisfies z.ZodMiniType<ProbeAnswer>;

/** A cell of a published table beside what was measured. */
const studyCell = z.object({
  /** "Figure 30". */
  figure: z.string(),
  /** What the table shows: "Maximum error, f32". */
  title: z.string(),
  row: z.string(),
  column: z.string(),
  published: real,
  /** Absent where it was not measured: too large, or the precision is not served. Of a shrunk run, at a smaller size. */
  measured: z.optional(real),
  /** measured / published. */
  ratio: z.optional(real),
  /** Decimals that are printed, of a number that is not written with an exponent of ten. */
  decimals: z.optional(z.int().check(z.gte(0), z.lte(20))),
  /** Where 95 of 100 numbers like the published one would lie, of what was drawn at random. */
  interval: z.optional(z.tuple([real, real])),
  /** `close`: within what was to be expected; `departs`: not; `not-measured`. */
  status: z.enum(['close', 'departs', 'not-measured']),
  /** Why it departs, or was not measured. */
  note: z.optional(z.string()),
  /** The case of `cases` it was measured by. */
  case: z.optional(z.string()),
});
export type StudyCell = z.infer<typeof studyCell>;

/** A published study, measured again. */
const study = z.object({
  name: z.string(),
  source: z.string(),
  /** What was done and what the ratios are judged by, in a few sentences. */
  method: z.string(),
  cells: z.array(studyCell),
  /** Cells that follow from the plan: formulas and percentages, as text. */
  counts: z.array(
    z.object({
      figure: z.string(),
      title: z.string(),
      row: z.string(),
      column: z.string(),
      published: z.string(),
      computed: z.string(),
      equal: z.boolean(),
    }),
  ),
});
export type Study = z.infer<typeof study>;

const exponents = z.object({ least: z.int(), largest: z.int() });

/** What a fuzz campaign drew and found. */
export const fuzz = z.object({
  /** The largest size that was drawn. */
  maxSize: z.int().check(z.gte(1)),
  /** Runs asked for of each kernel; absent where the time alone ended it. */
  runs: z.optional(z.int().check(z.gte(0))),
  /** Cases of the corpus that were run first. */
  corpus: z.optional(z.int().check(z.gte(0))),
  /** Counts of judged cases by topic and by what was seen. */
  coverage: z.object({
    counts: named(named(z.int().check(z.gte(0)))),
    /** The exponents of two seen in each matrix. */
    exponents: z.object({ a: z.optional(exponents), b: z.optional(exponents), c: z.optional(exponents) }),
  }),
  /** Violations, shrunk. */
  findings: z.array(
    z.object({
      case: z.string(),
      /** Those after which it fails, where it passes alone. */
      after: z.optional(z.array(z.string())),
      /** The case as it was drawn. */
      drawn: z.string(),
      check: z.string(),
      message: z.string(),
      /** What leads to it again; without a path, it was not drawn. */
      seed: z.int(),
      path: z.optional(z.string()),
      shrinks: z.int().check(z.gte(0)),
      /** How often it failed when run again, where that was not always. */
      unsteady: z.optional(z.object({ failed: z.int(), runs: z.int() })),
    }),
  ),
  /** The largest errors that a search found, one a kernel. */
  champions: z.optional(
    z.array(z.object({ case: z.string(), objective: z.string(), value: z.number(), replay: z.string() })),
  ),
});
export type Fuzz = z.infer<typeof fuzz>;

const interval = z.tuple([z.number(), z.number()]);

/** How the error grows in one series. */
export const growthResult = z.object({
  kernel: z.string(),
  precision: z._default(z.string(), 'f32'),
  input: z.string(),
  measure: z.enum(['maxError', 'meanError']),
  /** `size`: error ≈ c·n^slope at fixed levels; `levels`: error ≈ c·factor^levels at fixed n. */
  over: z.enum(['size', 'levels']),
  /** What is held fixed: the levels, or n. */
  fixed: z.int().check(z.gte(0)),
  points: z.array(z.object({ x: z.number(), error: z.number() })),
  /** log–log slope over size, log2 of the factor over levels; absent where there was nothing to fit. */
  slope: z.optional(z.number()),
  /** 95 % confidence interval of the slope: of the bootstrap from six points on, else Student's. */
  interval: z.optional(interval),
  /** The slope, through the same points, of the error that independent roundings let one expect; absent where that is unknown. */
  expected: z.optional(z.number()),
  /** The slope, through the same points, of the running bound. */
  bound: z.optional(z.number()),
  /** Why there is no slope. */
  reason: z.optional(z.string()),
});
export type GrowthResult = z.infer<typeof growthResult>;

/** A waiver of the config, and what became of it. */
const waiverResult = z.object({
  /** The pattern of the cases it covers. */
  case: z.string(),
  reason: z.string(),
  /** The last day it holds, in UTC: YYYY-MM-DD. */
  expires: z.string(),
  /** The one check it covers; absent where it covers all. */
  check: z.optional(z.string()),
  /**
   * `used`: it lets a failure through; `unused`: no case needs it; `expired`: it no longer holds; `idle`: too few of its
   * cases were run and judged to tell. Expired and unused ones fail the gate.
   */
  state: z.enum(['used', 'unused', 'expired', 'idle']),
  /** Cases of this run that match its pattern, and those of them whose failure it is about. */
  matched: z.int().check(z.gte(0)),
  failed: z.int().check(z.gte(0)),
  /** The kernels whose disproved claims it covers; absent where it covers none. */
  kernels: z.optional(z.array(z.string())),
});
export type WaiverResult = z.infer<typeof waiverResult>;

export const results = z.object({
  schema: z.literal(RESULTS_SCHEMA),
  /** ISO 8601. */
  createdAt: z.string(),
  version: z.string(),
  command: z.string(),
  seed: z.int(),
  adapter: z.object({
    id: z.string(),
    kind: z.enum(['hardware', 'software']),
    name: z.string(),
    vendor: z.string(),
    architecture: z.string(),
    device: z.string(),
    driver: z.string(),
    backend: z.string(),
    dawn: z.string(),
    features: z.array(z.string()),
    toggles: z.array(z.string()),
    chosenBecause: z.string(),
  }),
  arithmetic: z.record(z.string(), z.union([z.boolean(), z.number(), z.string(), flushing])),
  /** The device's arithmetic, question by question. */
  probe: z.optional(z.array(probeAnswer)),
  verdict: z.enum(verdicts),
  reason: z.string(),
  summary: z.object({
    planned: z.int().check(z.gte(0)),
    run: z.int().check(z.gte(0)),
    pass: z.int().check(z.gte(0)),
    fail: z.int().check(z.gte(0)),
    inconclusive: z.int().check(z.gte(0)),
    /** How many of those that fail are waived; absent where no case is. */
    waived: z.optional(z.int().check(z.gte(0))),
    /** Cases whose device result was compared with the mirror, and how many were equal bit for bit. */
    mirrored: z.int().check(z.gte(0)),
    mirrorEqual: z.int().check(z.gte(0)),
    seconds: z.number().check(z.gte(0)),
    interrupted: z.boolean(),
  }),
  /** Cases that were planned and left out for time; absent where none was. */
  leftOut: z.optional(z.array(z.string())),
  growth: z.array(growthResult),
  cases: z.array(caseResult),
  /** The failures of the run by what they share; absent where nothing fails. */
  groups: z.optional(z.array(failureGroup)),
  /** What kernels of others said of their versions, by kernel. */
  versions: z.optional(named(named(z.string()))),
  /** What a run was to cover, so that its shards can be joined. */
  campaign: z.optional(
    z.object({
      /** Follows from the cases of all shards, the thresholds that judge them, and the sources. */
      id: z.string(),
      /** How many different cases all shards have together. */
      cases: z.int().check(z.gte(0)),
      /** Whether these are all that the config asks for: the command line chose none among them. */
      whole: z.boolean(),
      /**
       * A SHA-256 of what decides what kernels compute, as far as it can be seen: version, config, and the files that these and
       * kernels name or import. Absent where nobody looked.
       */
      sources: z.optional(z.string()),
      /** Sentences on what keeps its passing from being a pass: too few cases are asked. Absent where nothing does. */
      lacks: z.optional(z.array(z.string())),
    }),
  ),
  /** The part of the campaign that was run. */
  shard: z.optional(
    z.object({
      /** From 1 to `of`. */
      index: z.int().check(z.gte(1)),
      of: z.int().check(z.gte(1)),
      /** The places of its cases in the campaign, from 0, in the order in which they are run. */
      places: z.array(z.int().check(z.gte(0))),
    }),
  ),
  /** The runs that were joined to these results. */
  merged: z.optional(
    z.array(
      z.object({
        file: z.string(),
        command: z.string(),
        createdAt: z.string(),
        shard: z.optional(z.string()),
      }),
    ),
  ),
  /** The waivers of the config. */
  waivers: z.optional(z.array(waiverResult)),
  /** What outputs show of kernels that are not ours, beside what these claim. */
  inspections: z.optional(z.array(inspection)),
  /** Sentences on what was left out of the run, and why. */
  notes: z.optional(z.array(z.string())),
  study: z.optional(study),
  /** Absent unless cases were drawn at random; `cases` then holds the most telling ones. */
  fuzz: z.optional(fuzz),
});
export type Results = z.infer<typeof results>;
