import { z } from 'zod';
import { excerpt } from '../../evidence/case-result.ts';
import { productMaps } from '../../evidence/heat-map.ts';

/** Failures of a run that have something in common. */
export const failureGroup = z.object({
  /** The kernels of which the same is to be said. */
  kernels: z.array(z.string()).min(1),
  /** What is to be said of the kernels: "35 of 120 cases fail: exactly those with k ≡ 1 mod 16". */
  says: z.string(),
  /** What is true of them, "k ≡ 1 mod 16" and more; absent where nothing tells them from cases that pass, or all fail. */
  rule: z.array(z.string()).optional(),
  /** Whether the rule is about the cases that the groups of these kernels before it leave. */
  later: z.boolean(),
  failing: z.int().min(1),
  /** Cases of the kernels that passed or failed. */
  judged: z.int().min(1),
  /** Cases of which the rule is true and that pass; of a later one, of those that are left. */
  passing: z.int().min(0),
  /** Cases of the kernels that fail and are in other groups. */
  apart: z.int().min(0),
  /** How often which check was the first to fail. */
  checks: z.record(z.string(), z.int().min(1)),
  /** The mistake that most of them look like, in a clause, and how many do. */
  looksLike: z.object({ cause: z.string(), says: z.string(), count: z.int().min(1) }).optional(),
  /** The smallest case of them. */
  example: z.string(),
  /** An even smaller case that fails, where one was looked for. */
  shrunk: z
    .object({
      case: z.string(),
      replay: z.string(),
      reason: z.string(),
      excerpt: excerpt.optional(),
      maps: productMaps.optional(),
    })
    .optional(),
  /** Their places in `cases`, from 0. */
  cases: z.array(z.int().min(0)),
});
export type FailureGroup = z.infer<typeof failureGroup>;
