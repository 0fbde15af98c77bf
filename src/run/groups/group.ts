import * as z from 'zod/mini';
import { named } from '../../base/named.ts';
import { excerpt } from '../../evidence/case-result.ts';
import { productMaps } from '../../evidence/heat-map.ts';

/** Failures of a run that have something in common. */
export const failureGroup = z.object({
  /** The kernels of which the same is to be said. */
  kernels: z.array(z.string()).check(z.minLength(1)),
  /** What is to be said of the kernels: "35 of 120 cases fail: exactly those with k ≡ 1 mod 16". */
  says: z.string(),
  /** What is true of them, "k ≡ 1 mod 16" and more; absent where nothing tells them from cases that pass, or all fail. */
  rule: z.optional(z.array(z.string())),
  /** Whether the rule is about the cases that the groups of these kernels before it leave. */
  later: z.boolean(),
  failing: z.int().check(z.gte(1)),
  /** Cases of the kernels that passed or failed. */
  judged: z.int().check(z.gte(1)),
  /** Cases of which the rule is true and that pass; of a later one, of those that are left. */
  passing: z.int().check(z.gte(0)),
  /** Cases of the kernels that fail and are in other groups. */
  apart: z.int().check(z.gte(0)),
  /** How often which check was the first to fail. */
  checks: named(z.int().check(z.gte(1))),
  /** The mistake that most of them look like, in a clause, and how many do. */
  looksLike: z.optional(z.object({ cause: z.string(), says: z.string(), count: z.int().check(z.gte(1)) })),
  /** The smallest case of them. */
  example: z.string(),
  /** An even smaller case that fails, where one was looked for. */
  shrunk: z.optional(
    z.object({
      case: z.string(),
      replay: z.string(),
      reason: z.string(),
      excerpt: z.optional(excerpt),
      maps: z.optional(productMaps),
    }),
  ),
  /** Their places in `cases`, from 0. */
  cases: z.array(z.int().check(z.gte(0))),
});
export type FailureGroup = z.infer<typeof failureGroup>;
