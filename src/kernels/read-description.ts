import * as z from 'zod/mini';
import { isRecord } from '../base/objects.ts';
import { type AcceptedProducts, sayings, whyInvalidStatement } from './claim-records.ts';
import type { KernelSpec } from './claims.ts';
import { kernelUnfit } from './messages.ts';
import type { JudgingTerms } from './self-description.ts';

const LONGEST = 300;

const about = z.object({
  accepts: z.optional(z.unknown()),
  grouped: z.optional(z.boolean()),
  precision: z.optional(z.string().check(z.maxLength(40))),
  claims: z.optional(z.boolean()),
});

/** The part of a self-description that is believed, and notes on the rest. */
export interface BelievedDescription {
  readonly accepts: KernelSpec['accepts'];
  readonly grouped: boolean;
  readonly notes: readonly string[];
}

/**
 * Reads the self-description of an untrusted kernel. Its `accepts` is believed: the kernel then gets fewer products, and the report says
 * so. Its claim to few sizes, its precision and its claims are not believed.
 * @throws ParanoiaError `kernel-unfit` for a description that is no data, or accepts by a function
 */
export function readDescription(
  kernel: string,
  given: unknown,
  { precision }: JudgingTerms,
): BelievedDescription {
  const { data, error } = about.safeParse(given ?? {});
  const unfit = (why: string) => kernelUnfit({ kernel, why });
  if (error !== undefined)
    throw unfit(`its description is not plain data (${error.issues[0].path.join('.') || 'all of it'})`);
  const { accepts, grouped = false } = data;
  const own = isRecord(accepts) && 'sizes' in accepts ? accepts.sizes : accepts;
  if (isRecord(own) && own.isFunction === true)
    throw unfit(
      'its accepts is a function, which is never called in untrusted mode. Give data, such as { sizes: "m=1..4096;k=1..4096" }',
    );
  const isLong = typeof own === 'string' && own.length > LONGEST;
  const wrong = isLong
    ? `its accepts.sizes must have at most ${LONGEST} characters`
    : whyInvalidStatement('accepts', accepts, sayings.accepts);
  if (wrong !== undefined) throw unfit(wrong);
  const notes = [
    ...(data.precision === undefined || data.precision === precision
      ? []
      : [
          `${kernel} declares the precision ${data.precision}, but is tested in ${precision}. Choose another with --precision.`,
        ]),
    ...(isRecord(accepts) && accepts.epilogue !== undefined
      ? [`${kernel} is tested without its epilogues in untrusted mode.`]
      : []),
    ...(data.claims === true
      ? [`The claims of ${kernel} are ignored in untrusted mode. Name its algorithm with --algorithm.`]
      : []),
  ];
  return { accepts: withoutNarrow(accepts as KernelSpec['accepts']), grouped, notes };
}

/** Removes `narrow`, since an untrusted kernel does not decide that few sizes are enough, and epilogues, which have no cases there. */
export function withoutNarrow(accepts: KernelSpec['accepts']): KernelSpec['accepts'] {
  if (typeof accepts !== 'object') return accepts;
  const { narrow: _, epilogue: __, ...rest }: AcceptedProducts = accepts;
  return rest;
}
