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

export const endedWorkers = defineMessage(
  'ended-workers',
  EXIT.inconclusive,
  (d: { what: string; count: number }) =>
    `${d.what} ended ${d.count} workers: whoever was at it died or gave no answer.`,
  'machine',
);
