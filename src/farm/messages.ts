import { defineMessage, EXIT } from '../base/errors.ts';
import { formatCount } from '../report/numbers.ts';

export const storeUnusable = defineMessage(
  'store-unusable',
  EXIT.usage,
  (d: { store: string; why: string }) =>
    `Cannot use the store ${d.store}: ${d.why}. Name a folder or an S3 bucket that you can read and write.`,
);

export const storeUnwritable = defineMessage(
  'store-unwritable',
  EXIT.output,
  (d: { store: string; why: string }) =>
    `Cannot write to the store ${d.store}: ${d.why}. Stored results are safe. Make it writable, then run the same command to continue.`,
);

export const badStored = defineMessage(
  'bad-stored',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `${d.file} cannot be used: ${d.why}. Remove it, and its work is done again.`,
);

export const newerStored = defineMessage(
  'newer-stored',
  EXIT.usage,
  (d: { file: string; schema: string; ours: string }) =>
    `${d.file} has the schema ${d.schema}, but this version reads ${d.ours}. Use the version of gemm-paranoia that wrote it.`,
);

export const batchesDiffer = defineMessage(
  'batches-differ',
  EXIT.inconclusive,
  (d: { file: string; other: string; what: string }) =>
    `Two runs of one batch on one machine gave different results: ${d.what}. Both are kept, in ${d.file} and in ${d.other}. Either the kernel does not repeat its bits, or the machine computes wrongly.`,
);

export const noCampaign = defineMessage(
  'no-campaign',
  EXIT.usage,
  (d: { store: string; asked: string | undefined }) =>
    d.asked === undefined
      ? `The store ${d.store} has no campaign. Create one with farm submit or gate --resume.`
      : `The store ${d.store} has no campaign whose id begins with "${d.asked}".`,
);

export const severalCampaigns = defineMessage(
  'several-campaigns',
  EXIT.usage,
  (d: { store: string; known: readonly string[] }) =>
    `The store ${d.store} has ${d.known.length} campaigns: ${d.known.join('; ')}. Choose one with --campaign.`,
);

export const otherCampaign = defineMessage(
  'other-campaign',
  EXIT.usage,
  (d: { where: string; what: string; theirs: string; ours: string }) =>
    `This worker does not match the campaign in ${d.where}. ${d.what}: ${d.theirs} there, ${d.ours} here. Start the worker with the same version, config and kernels, or submit again.`,
);

export const queueDown = defineMessage(
  'queue-down',
  EXIT.resources,
  (d: { queue: string; why: string }) =>
    `Cannot reach the queue ${d.queue}: ${d.why}. Start it, or correct --queue. Finished results are in the store.`,
);

export const badPlace = defineMessage(
  'bad-place',
  EXIT.usage,
  (d: { option: string; given: string; need: string }) =>
    `${d.option} "${d.given}" cannot be used. Give ${d.need}.`,
);

export const mixedMachines = defineMessage(
  'mixed-machines',
  EXIT.usage,
  (d: { machines: readonly string[] }) =>
    `The batches of this campaign come from several machines: ${d.machines.join('; ')}. Choose one with --adapter, or join them with --allow-mixed.`,
);

export const nothingDone = defineMessage(
  'nothing-done',
  EXIT.inconclusive,
  (d: { store: string; adapter: string | undefined }) =>
    `The store ${d.store} has no finished batch of the campaign${d.adapter === undefined ? '' : ` from an adapter "${d.adapter}"`}. Run: farm work`,
);

export const endedWorkers = defineMessage(
  'ended-workers',
  EXIT.inconclusive,
  (d: { what: string; count: number }) => `${formatCount(d.count, 'worker')} crashed or hung on ${d.what}.`,
  'machine',
);
