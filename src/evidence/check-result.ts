import * as z from 'zod/mini';

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
