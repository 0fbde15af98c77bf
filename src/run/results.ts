import * as z from 'zod/mini';
import { recordSchemaOf } from '../base/record-schema.ts';
import { type CaseResult, caseResult, real, verdicts } from '../evidence/case-result.ts';
import { type ProbeAnswer, standings } from '../gpu/probe/question.ts';
import { inspection } from '../inspect/inspection.ts';
import { failureGroup } from './groups/group.ts';
import { RESULTS_SCHEMA } from './results-schema.ts';

/**
 * The results file: the cases of a gate, its machine, and its outcome. This schema defines the file. The JSON Schema in the package is
 * generated from it.
 */

/** Flushing of subnormal numbers by a device. */
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

/** A cell of a published table with the measured value. */
const studyCell = z.object({
  /** "Figure 30". */
  figure: z.string(),
  /** The title of the table: "Maximum error, f32". */
  title: z.string(),
  row: z.string(),
  column: z.string(),
  published: real,
  /**
   * The measured value. Absent where it was not measured: the size is too large, or the precision is not served. In a shrunk run, at a
   * smaller size.
   */
  measured: z.optional(real),
  /** measured / published. */
  ratio: z.optional(real),
  /** Printed decimals of a number without an exponent of ten. */
  decimals: z.optional(z.int().check(z.gte(0), z.lte(20))),
  /** The 95 % interval of numbers like the published one, where these are random. */
  interval: z.optional(z.tuple([real, real])),
  /** `close`: within the expected range; `departs`: outside it; `not-measured`. */
  status: z.enum(['close', 'departs', 'not-measured']),
  /** The reason why it departs, or was not measured. */
  note: z.optional(z.string()),
  /** The case of `cases` that measured it. */
  case: z.optional(z.string()),
});
export type StudyCell = z.infer<typeof studyCell>;

/** A published study, measured again. */
const study = z.object({
  name: z.string(),
  source: z.string(),
  /** The method, and the criterion for the ratios, in a few sentences. */
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
export type StudyResult = z.infer<typeof study>;

const exponents = z.object({ least: z.int(), largest: z.int() });

/** A violation that a fuzz campaign found, after shrinking. */
const finding = z.object({
  case: z.string(),
  /** Cases after which it fails, where it passes alone. */
  after: z.optional(z.array(z.string())),
  /** The drawn case, before shrinking. */
  drawnCase: z.string(),
  check: z.string(),
  message: z.string(),
  /** The seed and path that reproduce it. Without a path, the case was not drawn. */
  seed: z.int(),
  path: z.optional(z.string()),
  shrinks: z.int().check(z.gte(0)),
  /** Failures among the reruns, where not every rerun failed. */
  unsteady: z.optional(z.object({ failed: z.int(), runs: z.int() })),
});

/** A finding with the result of its smallest case. */
export interface CampaignFinding extends z.infer<typeof finding> {
  readonly result: CaseResult;
}

/** The draws and findings of a fuzz campaign. */
export const fuzz = z.object({
  /** The largest drawn size. */
  maxSize: z.int().check(z.gte(1)),
  /** Requested runs of each kernel. Absent where only the time ended it. */
  runs: z.optional(z.int().check(z.gte(0))),
  /** Cases of the corpus that were run first. */
  corpus: z.optional(z.int().check(z.gte(0))),
  /** Counts of judged cases by topic and by observed value. */
  coverage: z.object({
    counts: recordSchemaOf(recordSchemaOf(z.int().check(z.gte(0)))),
    /** The exponents of powers of two in each matrix. */
    exponents: z.object({ a: z.optional(exponents), b: z.optional(exponents), c: z.optional(exponents) }),
  }),
  /** Violations, after shrinking. */
  findings: z.array(finding),
  /** The largest errors that a search found, one for each kernel. */
  champions: z.optional(
    z.array(z.object({ case: z.string(), objective: z.string(), value: z.number(), replay: z.string() })),
  ),
});
export type FuzzResult = z.infer<typeof fuzz>;

const interval = z.tuple([z.number(), z.number()]);

/** Growth of the error in one series. */
const growthResult = z.object({
  kernel: z.string(),
  precision: z._default(z.string(), 'f32'),
  input: z.string(),
  measure: z.enum(['maxError', 'meanError']),
  /** `size`: error ≈ c·n^slope at fixed levels; `levels`: error ≈ c·factor^levels at fixed n. */
  over: z.enum(['size', 'levels']),
  /** The fixed quantity: the levels, or n. */
  fixed: z.int().check(z.gte(0)),
  points: z.array(z.object({ x: z.number(), error: z.number() })),
  /** The log–log slope over size, or log2 of the factor over levels. Absent where there were no points to fit. */
  slope: z.optional(z.number()),
  /** The 95 % confidence interval of the slope: by bootstrap from six points on, else by Student's t. */
  interval: z.optional(interval),
  /** The slope, through the same points, of the expected error of independent roundings. Absent where that is unknown. */
  expected: z.optional(z.number()),
  /** The slope, through the same points, of the running bound. */
  bound: z.optional(z.number()),
  /** The reason for a missing slope. */
  reason: z.optional(z.string()),
});
export type GrowthResult = z.infer<typeof growthResult>;

/** A waiver of the config, with its state. */
const waiverResult = z.object({
  /** The pattern of its cases. */
  case: z.string(),
  reason: z.string(),
  /** Its last day, in UTC: YYYY-MM-DD. */
  expires: z.string(),
  /** The one check that it covers. Absent where it covers all. */
  check: z.optional(z.string()),
  /**
   * `used`: it lets a failure through; `unused`: no case needs it; `expired`: its last day is over; `idle`: too few of its cases were run
   * and judged to tell. Expired and unused ones fail the gate.
   */
  state: z.enum(['used', 'unused', 'expired', 'idle']),
  /** Cases of this run that match its pattern, and the number of them whose failure it covers. */
  matched: z.int().check(z.gte(0)),
  failed: z.int().check(z.gte(0)),
  /** The kernels whose disproved claims it covers. Absent where there are none. */
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
    /** Number of waived failures. Absent where no case is waived. */
    waived: z.optional(z.int().check(z.gte(0))),
    /** Number of cases whose device result was compared with the model, and of those with equal bits. */
    comparedWithModel: z.int().check(z.gte(0)),
    equalToModel: z.int().check(z.gte(0)),
    seconds: z.number().check(z.gte(0)),
    interrupted: z.boolean(),
  }),
  /** Planned cases that were left out for lack of time. Absent where there were none. */
  skipped: z.optional(z.array(z.string())),
  growth: z.array(growthResult),
  cases: z.array(caseResult),
  /** The failures of the run by what they share. Absent where no case fails. */
  groups: z.optional(z.array(failureGroup)),
  /** Versions that external kernels reported, by kernel. */
  versions: z.optional(recordSchemaOf(recordSchemaOf(z.string()))),
  /** The planned coverage of a run, so that its shards can be joined. */
  campaign: z.optional(
    z.object({
      /** An id derived from the cases of all shards, the thresholds, and the sources. */
      id: z.string(),
      /** Number of different cases of all shards together. */
      cases: z.int().check(z.gte(0)),
      /** True if these are all cases that the config requests: the command line selected none among them. */
      whole: z.boolean(),
      /**
       * A SHA-256 of the visible sources that decide what kernels compute: version, config, and the files that these and kernels name or
       * import. Absent where it was not computed.
       */
      sources: z.optional(z.string()),
      /** Sentences on why passing cases are not a pass: too few cases are run. Absent where there are none. */
      lacks: z.optional(z.array(z.string())),
    }),
  ),
  /** The shard of the campaign that was run. */
  shard: z.optional(
    z.object({
      /** Index, from 1 to `of`. */
      index: z.int().check(z.gte(1)),
      of: z.int().check(z.gte(1)),
      /** The places of its cases in the campaign, from 0, in the order of execution. */
      places: z.array(z.int().check(z.gte(0))),
    }),
  ),
  /** The runs that were joined to these results. */
  mergedRuns: z.optional(
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
  /** Results of inspections of external kernels, besides their claims. */
  inspections: z.optional(z.array(inspection)),
  /** Sentences on what was left out of the run, and why. */
  notes: z.optional(z.array(z.string())),
  study: z.optional(study),
  /** Results of fuzzing. Absent unless cases were drawn at random. `cases` then holds the most informative ones. */
  fuzz: z.optional(fuzz),
});
export type Results = z.infer<typeof results>;
