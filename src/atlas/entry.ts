import { z } from 'zod';
import { omit } from 'zod/mini';
import { named } from '../base/named.ts';
import { verdicts } from '../evidence/case-result.ts';
import { real } from '../evidence/check-result.ts';
import { standings } from '../gpu/probe/answer.ts';
import { confidences, grades } from '../inspect/inspection.ts';
import { results } from '../run/results.ts';

/**
 * An entry of the atlas: what one run of the gate says of kernels on a device, small enough to be kept beside many others. This
 * schema is the file's definition; the JSON Schema that ships in the package is made from it.
 */

/** Files with another major version are refused. */
export const ENTRY_SCHEMA = 'gemm-paranoia/atlas/1';

/** The most that the text of an entry takes, in bytes. */
export const LARGEST_ENTRY = 5_000_000;

/** A case in a line: what it was, what came of it, and the numbers that a replay gives again. */
const caseRow = z.object({
  case: z.string(),
  verdict: z.enum(verdicts),
  /** That its failure is known and let through. */
  waived: z.boolean().optional(),
  /** The checks that fail, of a case that does. */
  failing: z.array(z.string()).optional(),
  /** Errors against the exact product, with all their digits; absent where there was no product. */
  max: z.optional(real),
  mean: z.optional(real),
  /** Entries that differ from the exact product. */
  unequal: z.int().min(0).optional(),
  /** Significant bits of the least accurate entry beside |A||B|, as reports show them; absent where they say nothing. */
  bits: z.optional(real),
  /** The worst error in units of the error to expect, where that is judged. */
  sigmas: z.optional(real),
  /** The part of the running bound that the worst error used. */
  used: z.optional(real),
  /** The leaf kernel, where blocks are padded to its tile: that of a family is chosen by what was measured on the device. */
  leaf: z.string().optional(),
  /** Whether the device gave the bits of the mirror. */
  mirror: z.boolean().optional(),
  /** The share of the entries that were compared, where it was not all. */
  checked: z.number().min(0).max(1).optional(),
  /** Of a case that passes alone: those after which it fails. */
  after: z.array(z.string()).optional(),
  /** Of a case that fails by chance: how often. */
  unsteady: z.object({ failed: z.int().min(0), runs: z.int().min(1) }).optional(),
});
export type CaseRow = z.infer<typeof caseRow>;

/** Failures that have something in common, with an example that replays. */
const failures = z.object({
  says: z.string(),
  rule: z.array(z.string()).optional(),
  /** Cases of the kernels that it is said of that fail so, of those that were judged. */
  failing: z.int().min(1),
  judged: z.int().min(1),
  looksLike: z.object({ cause: z.string(), says: z.string() }).optional(),
  /** The smallest case of them that was found. */
  example: z.object({ case: z.string(), reason: z.string(), replay: z.string() }),
});
export type Failures = z.infer<typeof failures>;

/** What outputs say of a kernel that is not ours: the answer to one question. */
const shown = z.object({
  id: z.string(),
  question: z.string(),
  answer: z.string(),
  confidence: z.enum(confidences),
});

/** The worst of the cases of a kernel. */
const worst = z.object({
  /** Of random inputs: subnormal numbers and the like lose bits of any kernel. */
  bits: z.optional(real),
  /** The same of the cases that pass, where others do not. */
  passingBits: z.optional(real),
  sigmas: z.optional(real),
  used: z.optional(real),
});

const counts = z.object({
  cases: z.int().min(0),
  pass: z.int().min(0),
  fail: z.int().min(0),
  inconclusive: z.int().min(0),
  /** Those that fail and are let through. */
  waived: z.int().min(0),
  /** Cases that were compared with the mirror, and those that equal it. */
  mirrored: z.int().min(0),
  mirrorEqual: z.int().min(0),
});
export type Counts = z.infer<typeof counts>;

/** A kernel in one precision, on the device of the run. */
const kernelRecord = z.object({
  kernel: z.string(),
  precision: z.string(),
  algorithm: z.string(),
  /** What the kernel said of its versions. */
  versions: z.optional(named(z.string())),
  counts,
  worst,
  /** Which error bound it keeps, where that was asked. */
  grade: z.enum(grades).optional(),
  /** Whether the same operands give the same bits, where that is known. */
  repeats: z.boolean().optional(),
  shown: z.array(shown).optional(),
  /** What it claims and its outputs disprove, a sentence each. */
  disproved: z.array(z.string()).optional(),
  failures: z.array(failures).optional(),
  /** All of its cases, or those that there was room for: whatever does not pass comes before what does. */
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

/** The contents of an entry, all of which are hashed. */
export const statement = z.object({
  schema: z.literal(ENTRY_SCHEMA),
  run: z.object({
    /** ISO 8601. */
    createdAt: z.string(),
    /** Of gemm-paranoia. */
    version: z.string(),
    command: z.string(),
    seed: z.int(),
    campaign: results.shape.campaign,
    verdict: z.enum(verdicts),
    reason: z.string(),
    planned: z.int().min(0),
    seconds: z.number().min(0),
    interrupted: z.boolean(),
    /** Cases that there was no time for. */
    leftOut: z.int().min(0),
  }),
  adapter: omit(results.shape.adapter, { chosenBecause: true }),
  /** What whoever added it says of where it ran, where a browser does not. */
  said: z
    .object({
      device: z.string().optional(),
      driver: z.string().optional(),
      implementation: z.string().optional(),
    })
    .optional(),
  arithmetic: results.shape.arithmetic,
  probe: z.array(probeRow).optional(),
  kernels: z.array(kernelRecord).min(1),
  /** Where the results file lies, as an address or a path of the repository, and what it is. */
  raw: z.object({
    at: z.string().optional(),
    bytes: z.int().min(1),
    /** SHA-256 of its bytes, in hexadecimal digits. */
    sha256: z.string(),
  }),
});
export type Statement = z.infer<typeof statement>;

/** An entry of the atlas. */
export const entry = statement.extend({
  /** SHA-256 of the canonical text of all but itself, in hexadecimal digits. */
  hash: z.string(),
});
export type Entry = z.infer<typeof entry>;
