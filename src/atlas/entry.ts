import { z } from 'zod';
import { omit } from 'zod/mini';
import { fromJsonNumber, toJsonNumber } from '../base/numbers.ts';
import { recordSchemaOf } from '../base/record-schema.ts';
import { type CaseResult, real, verdicts } from '../evidence/case-result.ts';
import { standings } from '../gpu/probe/question.ts';
import { confidences, grades } from '../inspect/inspection.ts';
import { showsBits } from '../pages/summary.ts';
import { type MeasuredNumber, worstNumber } from '../report/numbers.ts';
import { results } from '../run/results.ts';

/**
 * An entry of the atlas: the statements of one run of the gate on kernels on a device, small enough to be kept beside many
 * others. This schema defines the file; the JSON Schema in the package is generated from it.
 */

/** The schema's id; files of a newer major version are refused. */
export const ENTRY_SCHEMA = 'gemm-paranoia/atlas/2';

/** The largest size of an entry's text, in bytes. */
export const LARGEST_ENTRY = 5_000_000;

/** A case in a row: its text, its verdict, and the numbers that a replay repeats. */
const caseRow = z.object({
  case: z.string(),
  verdict: z.enum(verdicts),
  /** True if its failure is known and tolerated. */
  waived: z.boolean().optional(),
  /** Its failing checks, if it fails. */
  failedChecks: z.array(z.string()).optional(),
  /** Errors against the exact product, with all their digits; absent if there was no product. */
  max: z.optional(real),
  mean: z.optional(real),
  /** Entries that differ from the exact product. */
  unequal: z.int().min(0).optional(),
  /** Significant bits of the least accurate entry relative to |A||B|, as in reports; absent where they are meaningless. */
  bits: z.optional(real),
  /** The worst error in sigmas, where that is judged. */
  sigmas: z.optional(real),
  /** The fraction of the running bound that the worst error used. */
  used: z.optional(real),
  /** The leaf kernel, where blocks are padded to its tile: measurements on the device choose it within its family. */
  leaf: z.string().optional(),
  /** Digests of the bits of the product and of its operands, as in results; absent if there was no product. */
  digests: z.object({ d: z.string(), operands: z.string() }).optional(),
  /** True if the device gave the bits of the bit-exact model. */
  equalsModel: z.boolean().optional(),
  /** The fraction of entries compared, if not all. */
  checkedShare: z.number().min(0).max(1).optional(),
  /** Cases after which it fails, if it passes alone. */
  after: z.array(z.string()).optional(),
  /** The frequency of its failure, if it fails by chance. */
  unsteady: z.object({ failed: z.int().min(0), runs: z.int().min(1) }).optional(),
});
export type CaseRow = z.infer<typeof caseRow>;

/** Failures that share a rule, with an example that replays. */
const failures = z.object({
  says: z.string(),
  rule: z.array(z.string()).optional(),
  /** Counts over the kernels named by the group: cases that fail so, and cases judged. */
  failing: z.int().min(1),
  judged: z.int().min(1),
  looksLike: z.object({ cause: z.string(), says: z.string() }).optional(),
  /** The smallest case of the group. */
  example: z.object({ case: z.string(), reason: z.string(), replay: z.string() }),
});
export type FailureRow = z.infer<typeof failures>;

/** A finding about an external kernel from its outputs: the answer to one question. */
const finding = z.object({
  id: z.string(),
  question: z.string(),
  answer: z.string(),
  confidence: z.enum(confidences),
});

/** The worst errors of a kernel's cases. */
const worst = z.object({
  /** For random inputs only: subnormal numbers and the like cost every kernel bits. */
  bits: z.optional(real),
  /** The same for passing cases only, if others do not pass. */
  passingBits: z.optional(real),
  sigmas: z.optional(real),
  used: z.optional(real),
});

const counts = z.object({
  cases: z.int().min(0),
  pass: z.int().min(0),
  fail: z.int().min(0),
  inconclusive: z.int().min(0),
  /** The number of failures that are tolerated. */
  waived: z.int().min(0),
  /** The number of cases compared with the bit-exact model, and of those that equal it. */
  comparedWithModel: z.int().min(0),
  equalToModel: z.int().min(0),
});
export type EntryCounts = z.infer<typeof counts>;

/** A kernel in one precision, on the device of the run. */
const kernelRecord = z.object({
  kernel: z.string(),
  precision: z.string(),
  algorithm: z.string(),
  /** Versions that the kernel reported. */
  versions: z.optional(recordSchemaOf(z.string())),
  counts,
  worst,
  /** The best error bound that it keeps, if it was graded. */
  grade: z.enum(grades).optional(),
  /** True if the same operands give the same bits; absent if unknown. */
  repeats: z.boolean().optional(),
  findings: z.array(finding).optional(),
  /** Claims that its outputs disprove, a sentence each. */
  contradictions: z.array(z.string()).optional(),
  failures: z.array(failures).optional(),
  /** All of its cases, or as many as fit: cases that do not pass come first. */
  cases: z.array(caseRow),
});
export type KernelRecord = z.infer<typeof kernelRecord>;

const probeRow = z.object({
  id: z.string(),
  group: z.string(),
  question: z.string(),
  answer: z.string(),
  standing: z.enum(standings),
});
export type ProbeRow = z.infer<typeof probeRow>;

/** The contents of an entry, all of them hashed. */
const statement = z.object({
  schema: z.literal(ENTRY_SCHEMA),
  run: z.object({
    /** The time of the run, in ISO 8601. */
    createdAt: z.string(),
    /** The version of gemm-paranoia. */
    version: z.string(),
    command: z.string(),
    seed: z.int(),
    campaign: results.shape.campaign,
    verdict: z.enum(verdicts),
    reason: z.string(),
    planned: z.int().min(0),
    seconds: z.number().min(0),
    interrupted: z.boolean(),
    /** The number of cases that the budget left out. */
    skipped: z.int().min(0),
  }),
  adapter: omit(results.shape.adapter, { chosenBecause: true }),
  /** The submitter's description of the device, for facts that browsers do not report. */
  description: z
    .object({
      device: z.string().optional(),
      driver: z.string().optional(),
      implementation: z.string().optional(),
    })
    .optional(),
  arithmetic: results.shape.arithmetic,
  probe: z.array(probeRow).optional(),
  kernels: z.array(kernelRecord).min(1),
  /** The results file: its address or its path in the repository, its size and its hash. */
  raw: z.object({
    at: z.string().optional(),
    bytes: z.int().min(1),
    /** The SHA-256 of its bytes, in hexadecimal digits. */
    sha256: z.string(),
  }),
});
export type EntryStatement = z.infer<typeof statement>;

/** An entry of the atlas. */
export const entry = statement.extend({
  /** The SHA-256 of the canonical text of all other fields, in hexadecimal digits. */
  hash: z.string(),
});
export type AtlasEntry = z.infer<typeof entry>;

export function worstOf(rows: readonly CaseRow[]): KernelRecord['worst'] {
  const random = rows.filter(({ sigmas }) => sigmas !== undefined);
  const passing = random.filter(({ verdict }) => verdict === 'pass');
  const fewest = (some: readonly CaseRow[]) =>
    worstNumber(
      some.map(({ bits }) => bits),
      'smallest',
    );
  const most = (key: 'sigmas' | 'used') =>
    worstNumber(
      rows.map((row) => row[key]),
      'largest',
    );
  const all = {
    bits: fewest(random),
    ...(passing.length < random.length ? { passingBits: fewest(passing) } : {}),
    ...{ sigmas: most('sigmas'), used: most('used') },
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Makes the row of a case. */
export function rowOf(result: CaseResult): CaseRow {
  const { verdict, checks, exact, runningBound, equalsModel, checkedShare, waiver, after, unsteady } = result;
  const { tail, leafKernel } = result;
  const failedChecks = checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
  const bits = exact !== undefined && showsBits(result) ? exact.bits : undefined;
  const all: CaseRow = {
    ...{ case: result.case, verdict },
    ...(waiver === undefined ? {} : { waived: true }),
    ...(verdict === 'fail' && failedChecks.length > 0 ? { failedChecks } : {}),
    ...(exact === undefined ? {} : { max: exact.maxError, mean: exact.meanError, unequal: exact.unequal }),
    ...few('bits', bits),
    ...few('sigmas', checks.find(({ name }) => name === 'sigma')?.found),
    ...few('used', runningBound?.used),
    ...(tail !== 'pad' || leafKernel === undefined ? {} : { leaf: leafKernel }),
    ...(result.bits === undefined ? {} : { digests: result.bits }),
    ...(equalsModel === undefined ? {} : { equalsModel }),
    ...(checkedShare === undefined ? {} : { checkedShare }),
    ...(after === undefined ? {} : { after }),
    ...(unsteady === undefined ? {} : { unsteady }),
  };
  return all;
}

/** Digits of numbers that are not compared bit for bit. */
const DIGITS = 5;

/** A number of a row, rounded for storage; absent if it was not measured. */
const few = <K extends 'bits' | 'sigmas' | 'used'>(
  key: K,
  value: MeasuredNumber,
): Partial<Pick<CaseRow, K>> =>
  (value === undefined
    ? {}
    : { [key]: toJsonNumber(Number(fromJsonNumber(value).toPrecision(DIGITS))) }) as Partial<
    Pick<CaseRow, K>
  >;
