import { defineMessage, EXIT } from '../base/errors.ts';

export const storeUnusable = defineMessage(
  'store-unusable',
  EXIT.usage,
  (d: { store: string; why: string }) =>
    `The store ${d.store} cannot be used: ${d.why}; name a folder or an S3 bucket that you may read and write.`,
);

export const storeUnwritable = defineMessage(
  'store-unwritable',
  EXIT.output,
  (d: { store: string; why: string }) =>
    `The store ${d.store} takes no more: ${d.why}; what it holds stays as it is, and the same command goes on once it can be written.`,
);

export const badStored = defineMessage(
  'bad-stored',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `${d.file} cannot be used: ${d.why}; remove it, and what it held is done again.`,
);

export const newerStored = defineMessage(
  'newer-stored',
  EXIT.usage,
  (d: { file: string; schema: string; ours: string }) =>
    `${d.file} is of the schema ${d.schema}, and this version reads ${d.ours}: use the version of gemm-paranoia that wrote it.`,
);

export const batchesDiffer = defineMessage(
  'batches-differ',
  EXIT.inconclusive,
  (d: { file: string; other: string; what: string }) =>
    `Two runs of the same batch on the same machine gave different results, ${d.what}: ${d.file} was first, and ${d.other} is kept beside it; a kernel that does not repeat its bits does that, and so does a machine that computes wrongly.`,
);

export const noCampaign = defineMessage(
  'no-campaign',
  EXIT.usage,
  (d: { store: string; asked: string | undefined }) =>
    d.asked === undefined
      ? `The store ${d.store} has no campaign: farm submit, or gate --resume, puts one there.`
      : `The store ${d.store} has no campaign whose id begins with "${d.asked}".`,
);

export const severalCampaigns = defineMessage(
  'several-campaigns',
  EXIT.usage,
  (d: { store: string; known: readonly string[] }) =>
    `The store ${d.store} has ${d.known.length} campaigns, of which --campaign chooses one: ${d.known.join('; ')}.`,
);

export const otherCampaign = defineMessage(
  'other-campaign',
  EXIT.usage,
  (d: { where: string; what: string; theirs: string; ours: string }) =>
    `This worker takes nothing of ${d.where}: the campaign there is of ${d.what} ${d.theirs}, and this worker has ${d.ours}; start it with the same version, config and kernels, or submit again.`,
);

export const queueDown = defineMessage(
  'queue-down',
  EXIT.resources,
  (d: { queue: string; why: string }) =>
    `The queue ${d.queue} cannot be reached: ${d.why}; start it, or mend --queue. What is finished is in the store.`,
);

export const badPlace = defineMessage(
  'bad-place',
  EXIT.usage,
  (d: { option: string; given: string; need: string }) =>
    `${d.option} "${d.given}" cannot be used: give ${d.need}.`,
);

export const mixedMachines = defineMessage(
  'mixed-machines',
  EXIT.usage,
  (d: { machines: readonly string[] }) =>
    `The batches of this campaign are of different machines, none of which has all: ${d.machines.join('; ')}; choose one with --adapter, or join them with --allow-mixed.`,
);

export const nothingDone = defineMessage(
  'nothing-done',
  EXIT.inconclusive,
  (d: { store: string; adapter: string | undefined }) =>
    `No batch of the campaign is in ${d.store}${d.adapter === undefined ? '' : ` from an adapter "${d.adapter}"`} yet: farm work judges them.`,
);

export const farmWhat = defineMessage(
  'farm-what',
  EXIT.usage,
  (d: { given: string; known: readonly string[] }) =>
    `farm ${d.given} is nothing: give ${d.known.join(', ')}.`,
);

export const endedWorkers = defineMessage(
  'ended-workers',
  EXIT.inconclusive,
  (d: { what: string; count: number }) =>
    `${d.what} ended ${d.count} workers: whoever was at it died or gave no answer.`,
  'machine',
);

/** What a gateway answers to a message that it cannot take. */
export const badMessage = defineMessage(
  'bad-message',
  EXIT.usage,
  (d: { why: string }) => `The gateway does not take this message: ${d.why}.`,
);

export const otherProtocol = defineMessage(
  'other-protocol',
  EXIT.usage,
  (d: { what: string; theirs: string; ours: string }) =>
    `This gateway speaks ${d.what} ${d.ours}, and the worker ${d.theirs}: use the version of gemm-paranoia that the gateway has.`,
);

export const notJoined = defineMessage(
  'not-joined',
  EXIT.usage,
  () => 'The gateway does not know this key: a worker joins before it asks for batches.',
);

export const noLease = defineMessage(
  'no-lease',
  EXIT.usage,
  (d: { why: string }) => `The gateway knows no such lease of this key: ${d.why}.`,
);

export const bannedWorker = defineMessage(
  'banned-worker',
  EXIT.usage,
  (d: { key: string; why: string }) =>
    `The gateway believes nothing of the key ${d.key} any more: ${d.why}; what it gave is judged anew by others.`,
);

export const tooOften = defineMessage(
  'too-often',
  EXIT.resources,
  (d: { what: string }) => `The gateway is asked too often: ${d.what}; ask again later.`,
);

export const notForStrangers = defineMessage(
  'not-for-strangers',
  EXIT.usage,
  (d: { campaign: string; why: string }) =>
    `The campaign ${d.campaign} cannot be handed to strangers: ${d.why}; a gateway leases cases of built-in kernels, of a campaign without a config.`,
);

export const openGateway = defineMessage(
  'open-gateway',
  EXIT.usage,
  (d: { listen: string }) =>
    `--listen ${d.listen} is not this machine alone, and plain HTTP can be changed on its way: give --cert and --key, or listen on 127.0.0.1 behind a proxy that ends TLS.`,
);

export const notListening = defineMessage(
  'not-listening',
  EXIT.resources,
  (d: { listen: string; why: string }) =>
    `The gateway cannot listen on ${d.listen}: ${d.why}; choose another --listen, or mend --cert and --key.`,
);

export const gatewayRefuses = defineMessage(
  'gateway-refuses',
  EXIT.usage,
  (d: { gateway: string; why: string }) => `${d.gateway} takes nothing of this worker: ${d.why}`,
);

export const strangersDisagree = defineMessage(
  'strangers-disagree',
  EXIT.inconclusive,
  (d: { batch: string; machine: string; what: string }) =>
    `Two workers on ${d.machine} disagree on the batch ${d.batch}, ${d.what}: both results are kept, and neither counts until somebody removes one.`,
);
