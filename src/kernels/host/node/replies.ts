import { z } from 'zod';
import { blamed, ParanoiaError } from '../../../base/errors.ts';
import { kernelThrew } from '../../messages.ts';
import { reasonOf } from '../../thrown.ts';

/**
 * What a host may say, as it is read: a host itself, which starts anew after each mishap, has no need of it.
 */

/** What becomes of an error on its way, beside its message. */
const failure = z.object({ code: z.string(), exitCode: z.int(), blames: z.enum(blamed) });

export const ready = z.object({
  ready: z.literal(true),
  versions: z.unknown().optional(),
  /** What the kernel of our own host says of itself. */
  about: z.unknown().optional(),
  pings: z.boolean({ error: 'true or false' }).optional(),
  /** The version of the protocol that a worker speaks, and what it says of itself in it. */
  protocol: z.int({ error: 'a whole number' }).optional(),
  claims: z.unknown().optional(),
  accepts: z.unknown().optional(),
});
export type Ready = z.infer<typeof ready>;

/** A host that can multiply nothing; one that could be opened nevertheless states its versions. */
export const useless = z.object({
  ready: z.literal(false),
  error: z.string({ error: 'the reason' }),
  failure: failure.optional(),
  versions: z.unknown().optional(),
});

/** What a host may say before its first answer. */
export type Greeting = Ready | z.infer<typeof useless>;

const times = 'a list of times';
const count = (what: string) => z.int({ error: what }).min(0, { error: what });

/** A product: what our own host saw of the matrices it left is said beside it. */
export const answer = z.object({
  id: z.int({ error: 'the id of the request' }),
  d: count('the bytes of D.npy'),
  seconds: z
    .array(z.number({ error: times }).positive({ error: times }), { error: times })
    .min(1, { error: times })
    .optional(),
  gpu: z.boolean({ error: 'true or false' }).optional(),
  unwritten: count('a count').optional(),
  overwritten: count('a count').optional(),
  changed: count('a count').nullish(),
  /** What a kernel that is not trusted looked at that tells who asks: sentences' objects. */
  saw: z.array(z.string({ error: 'names' }), { error: 'names' }).optional(),
});
export type Answer = z.infer<typeof answer>;

/** No product. */
export const apology = z.object({
  id: z.int({ error: 'the id of the request' }),
  error: z.string({ error: 'the reason' }),
  failure: failure.optional(),
});

/** The error that a host tells of: as it was written by one of ours, else that of a kernel that threw it. */
export function readError(
  kernel: string,
  { error, failure }: Pick<z.infer<typeof apology>, 'error' | 'failure'>,
): ParanoiaError {
  if (failure === undefined) return kernelThrew({ kernel, why: reasonOf(error) });
  const { code, exitCode, blames } = failure;
  return new ParanoiaError(code, exitCode, error, { blames });
}
