import { z } from 'zod';
import { results } from '../../run/results.ts';
import { storedBatch, storedCampaign } from '../stored.ts';

/** What workers and a gateway say to each other: JSON over HTTP, each message of a worker signed. */

/** Changes where an old worker would not be understood any more. */
export const GATEWAY_SCHEMA = 'gemm-paranoia/gateway/2';

const [KEY, SIGNATURE] = [/^[A-Za-z0-9_-]{43}$/, /^[A-Za-z0-9_-]{86}$/];
const LONGEST_ID = 64;

/** What each kind of message says. */
export const bodies = {
  /** Who works, and on what. */
  join: z.object({
    version: z.string().max(LONGEST_ID),
    machine: z.object({
      adapter: results.shape.adapter,
      arithmetic: results.shape.arithmetic,
    }),
  }),
  /** Asks for a batch. */
  lease: z.object({}),
  renew: z.object({ lease: z.string().max(LONGEST_ID) }),
  /** Gives a batch back. */
  release: z.object({ lease: z.string().max(LONGEST_ID) }),
  result: z.object({
    lease: z.string().max(LONGEST_ID),
    batch: z.string().max(LONGEST_ID),
    found: storedBatch.pick({ seconds: true, cases: true, leftOut: true, said: true, versions: true }),
  }),
} as const;
export type Kind = keyof typeof bodies;
export type Body<K extends Kind> = z.infer<(typeof bodies)[K]>;
/** What was found of a batch of cases. */
export type Found = Body<'result'>['found'];

/** Bytes that a message may have. */
export const MOST_BYTES: Readonly<Record<Kind, number>> = {
  ...{ join: 2 ** 16, lease: 2 ** 10, renew: 2 ** 10, release: 2 ** 10, result: 2 ** 23 },
};

export const envelope = z.object({
  schema: z.string().max(LONGEST_ID),
  kind: z.enum(['join', 'lease', 'renew', 'release', 'result']),
  /** The id of the campaign that it is for. */
  campaign: z.string().max(LONGEST_ID),
  key: z.string().regex(KEY),
  body: z.unknown(),
  signature: z.string().regex(SIGNATURE),
});
export type Envelope = z.infer<typeof envelope>;

/** What a gateway says of itself to whoever asks. */
export const gatewayAbout = z.object({
  schema: z.string(),
  campaign: z.string(),
  version: z.string(),
});

/** A batch as a worker is given it, for so many seconds unless it renews. */
export const leased = z.object({
  lease: z.string(),
  batch: z.string(),
  leaseSeconds: z.number(),
  thresholds: storedCampaign.shape.thresholds,
  budget: storedCampaign.shape.budget,
  cases: storedCampaign.shape.cases,
  /** Marks of products that are to be spoiled, most of which none has. */
  marks: z.array(z.string()),
});
export type Leased = z.infer<typeof leased>;

/** What a request for a batch is answered with: a batch; to ask again after so many seconds; or that all is done. */
export const leaseAnswer = z.union([
  leased,
  z.object({ wait: z.number() }),
  z.object({ finished: z.literal(true) }),
]);
export type LeaseAnswer = z.infer<typeof leaseAnswer>;

/** What a request that is refused is answered with. */
export const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
