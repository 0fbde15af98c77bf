import * as z from 'zod/mini';
import { blamed, ParanoiaError } from '../../../base/errors.ts';
import { describeThrown } from '../../kernel-error.ts';
import { kernelThrew } from '../../messages.ts';

/** Schemas for reading the lines of a host. Only this side uses them: a host restarts after each failure. */

/** Properties of an error, sent beside its message. */
const failure = z.object({
  code: z.string({ error: 'a code' }),
  exitCode: z.int({ error: 'a whole number' }),
  blames: z.enum(blamed, { error: `one of ${blamed.join(', ')}` }),
});

export const ready = z.object({
  ready: z.literal(true, { error: 'true or false' }),
  versions: z.optional(z.unknown()),
  /** The self-description of the kernel in the package's own host. */
  about: z.optional(z.unknown()),
  pings: z.optional(z.boolean({ error: 'true or false' })),
  /** True if it takes many products in one request. */
  apart: z.optional(z.boolean({ error: 'true or false' })),
  /** The version of the protocol that a worker speaks, and its statements in that version. */
  protocol: z.optional(z.int({ error: 'a whole number' })),
  claims: z.optional(z.unknown()),
  accepts: z.optional(z.unknown()),
});
export type ReadyMessage = z.infer<typeof ready>;

/** A host that can multiply nothing; one that was opened nevertheless states its versions. */
export const useless = z.object({
  ready: z.literal(false),
  error: z.string({ error: 'the reason' }),
  failure: z.optional(failure),
  versions: z.optional(z.unknown()),
});

/** A greeting of a host before its first answer. */
export type Greeting = ReadyMessage | z.infer<typeof useless>;

const times = 'a list of times';
const count = (what: string) => z.int({ error: what }).check(z.gte(0, { error: what }));

/** A product; the package's own host adds counts of changes to the matrices. */
export const answer = z.object({
  id: z.int({ error: 'the id of the request' }),
  d: count('the bytes of D.npy'),
  seconds: z.optional(
    z
      .array(z.number({ error: times }).check(z.gt(0, { error: times })), { error: times })
      .check(z.minLength(1, { error: times })),
  ),
  gpu: z.optional(z.boolean({ error: 'true or false' })),
  unwritten: z.optional(count('a count')),
  overwritten: z.optional(count('a count')),
  changed: z.nullish(count('a count')),
  /** Things that an untrusted kernel looked at and that tell who calls it, as objects of a sentence. */
  saw: z.optional(z.array(z.string({ error: 'names' }), { error: 'names' })),
});
export type HostAnswer = z.infer<typeof answer>;

/** An error in place of a product. */
export const apology = z.object({
  id: z.int({ error: 'the id of the request' }),
  error: z.string({ error: 'the reason' }),
  failure: z.optional(failure),
});

/** Returns the error that a host reports: as the package's own host wrote it, else as thrown by the kernel. */
export function readError(
  kernel: string,
  { error, failure }: Pick<z.infer<typeof apology>, 'error' | 'failure'>,
): ParanoiaError {
  if (failure === undefined) return kernelThrew({ kernel, why: describeThrown(error) });
  const { code, exitCode, blames } = failure;
  return new ParanoiaError(code, exitCode, error, { blames });
}
