import { z } from 'zod';
import { caseResult } from '../evidence/case-result.ts';
import { inspection } from '../inspect/inspection.ts';
import { roundFound, roundPlace, roundsPlan } from '../run/fuzz-round.ts';
import { results } from '../run/results.ts';

/** The contents of a store: a campaign, the machines that worked on it, and the results of its batches. */

/** Schemas of stored files, with the version that this program reads. */
export const SCHEMAS = {
  campaign: 'gemm-paranoia/farm-campaign/1',
  machine: 'gemm-paranoia/farm-machine/1',
  batch: 'gemm-paranoia/farm-batch/2',
} as const;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const inspected = z.object({ kernel: z.string(), precision: z.string() });

const workCase = z.object({
  case: z.string(),
  after: z.array(z.string()).optional(),
  series: z.boolean().optional(),
  detailed: z.boolean().optional(),
  needed: z.boolean().optional(),
});

const batch = z.union([
  z.object({ id: sha256, seconds: z.number(), places: z.array(z.int().min(0)).min(1) }),
  z.object({ id: sha256, seconds: z.number(), inspect: inspected }),
  z.object({ id: sha256, seconds: z.number(), fuzz: roundPlace }),
]);

const waiver = z.object({
  case: z.string(),
  reason: z.string(),
  expires: z.string(),
  check: z.string().optional(),
});

/** A campaign: its cases, and the batches that it is cut into. */
export const storedCampaign = z.object({
  schema: z.literal(SCHEMAS.campaign),
  /** The id of the campaign in results. */
  id: sha256,
  createdAt: z.string(),
  version: z.string(),
  command: z.string(),
  seed: z.int(),
  sources: sha256,
  /** The files that the digest of the sources covers, to say which of them another config changes. */
  files: z.array(z.object({ name: z.string(), digest: z.string() })),
  thresholds: z.object({ sigmas: z.number(), drift: z.number() }),
  /** The limit of the cases of each kernel: seconds in each batch, or a count in the campaign; absent if there is no limit. */
  budget: z.union([z.number(), z.object({ cases: z.int().min(1) })]).optional(),
  /** True if these are all cases of the config. */
  whole: z.boolean(),
  cases: z.array(workCase),
  /** The plan of the draws, if cases are drawn where they are judged; the campaign then has no cases of its own. */
  fuzz: z.optional(roundsPlan),
  batches: z.array(batch),
  /** Kernels that do not claim reproducible bits: their results may differ. */
  unsteady: z.array(z.string()),
  waivers: z.array(waiver),
  notes: z.array(z.string()),
  /** Sentences on kernels that accept too few shapes to pass the gate. */
  thin: z.array(z.string()),
  /** Text before and after the cases in a command that runs them again. */
  replay: z.object({ before: z.string(), behind: z.string() }),
});
export type StoredCampaign = z.infer<typeof storedCampaign>;

/** Returns the number of cases of a campaign, drawn ones among them. */
export const casesIn = ({ cases, fuzz }: Pick<StoredCampaign, 'cases' | 'fuzz'>): number =>
  fuzz === undefined ? cases.length : fuzz.runs * fuzz.targets.length;

/** A machine as in results, and its baselines. */
export const storedMachine = z.object({
  schema: z.literal(SCHEMAS.machine),
  key: sha256,
  adapter: results.shape.adapter,
  arithmetic: results.shape.arithmetic,
  probe: results.shape.probe,
  notes: z.array(z.string()),
});
export type StoredMachine = z.infer<typeof storedMachine>;

/** The results of a batch on a machine. */
export const storedBatch = z.object({
  schema: z.literal(SCHEMAS.batch),
  key: sha256,
  /** The id of the batch, and the key of the machine; the key of the results follows from both. */
  batch: sha256,
  machine: sha256,
  createdAt: z.string(),
  seconds: z.number().min(0),
  /** Results of its cases, in their order. */
  cases: z.array(caseResult),
  /** The cases that its budget left out. */
  skipped: z.array(z.string()),
  /** Sentences on how exact products were computed. */
  said: z.array(z.string()),
  versions: results.shape.versions,
  inspection: z.optional(inspection),
  /** Findings of a round of drawn cases. */
  fuzz: z.optional(roundFound),
  /** The reason why an inspection or a round was not completed. */
  uninspected: z.string().optional(),
  /** The number of workers that crashed or hung on the batch, if that is why it has no more results. */
  ended: z.int().min(1).optional(),
});
export type StoredBatch = z.infer<typeof storedBatch>;

export const nameOf = {
  prefix: 'campaign-',
  campaign: (id: string) => `campaign-${id}.json.gz`,
  machine: (campaign: string, key: string) => `machine-${campaign}-${key}.json.gz`,
  machines: (campaign: string) => `machine-${campaign}-`,
  batch: (key: string) => `${key}.json.gz`,
  /** Different results of the same key, named by their digest. */
  other: (key: string, digest: string) => `${key}.differs-${digest.slice(0, 16)}.json.gz`,
} as const;
