import { defineMessage, EXIT } from '../base/errors.ts';

export const notForAtlas = defineMessage(
  'not-for-atlas',
  EXIT.usage,
  (d: { file: string; what: string }) =>
    `${d.file} cannot be added to the atlas: it holds ${d.what}, and only results of the gate are added; run the gate with the reporter json.`,
);

export const implausibleRun = defineMessage(
  'implausible-run',
  EXIT.fail,
  (d: { file: string; first: string; more: number }) =>
    `${d.file} is not added to the atlas, because no run leaves this: ${d.first}${d.more > 0 ? ` (and ${d.more} more)` : ''}; run the gate again and add what it writes.`,
);

export const replayDiffers = defineMessage(
  'replay-differs',
  EXIT.fail,
  (d: { file: string; case: string; why: string; how: string; replay: string }) =>
    `${d.file} is not added to the atlas: of ${d.case}, computed again ${d.how}, ${d.why}; to see it: ${d.replay}`,
);

export const entryTooLarge = defineMessage(
  'entry-too-large',
  EXIT.usage,
  (d: { file: string; bytes: number; most: number }) =>
    `${d.file} makes an entry of ${d.bytes} bytes even without its passing cases, and at most ${d.most} are kept: add the runs of fewer kernels each.`,
);

export const badEntry = defineMessage(
  'bad-entry',
  EXIT.fail,
  (d: { file: string; why: string }) =>
    `The entry ${d.file} of the atlas cannot be used: ${d.why}; make it anew with atlas add, or remove it.`,
);

export const entryUnreadable = defineMessage(
  'entry-unreadable',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `The entry ${d.file} of the atlas cannot be read: ${d.why}; let it be read, or name another folder.`,
);

export const newerEntry = defineMessage(
  'newer-entry',
  EXIT.usage,
  (d: { file: string; schema: string; reads: string }) =>
    `The entry ${d.file} was made by a newer version (${d.schema}, this one reads ${d.reads}); update gemm-paranoia to read it.`,
);

export const entriesUnusable = defineMessage(
  'entries-unusable',
  EXIT.usage,
  (d: { folder: string; why: string }) =>
    `The entries in ${d.folder} cannot be read: ${d.why}; name the folder that atlas add writes to.`,
);

export const noEntries = defineMessage(
  'no-entries',
  EXIT.usage,
  (d: { folder: string }) =>
    `There is no entry in ${d.folder}: add results with atlas add, or name another folder with --from.`,
);

export const badKey = defineMessage(
  'bad-key',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `${d.file} cannot sign: ${d.why}; atlas key writes a private key of Ed25519 in PEM.`,
);

export const keyInTheWay = defineMessage(
  'key-in-the-way',
  EXIT.usage,
  (d: { file: string }) =>
    `There is a ${d.file} already, and a key that is written over is lost: name another file.`,
);

export const atlasUnwritable = defineMessage(
  'atlas-unwritable',
  EXIT.usage,
  (d: { path: string; why: string; instead: string }) =>
    `The file ${d.path} cannot be written: ${d.why}; name ${d.instead} that you may write to.`,
);
