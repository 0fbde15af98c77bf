import { defineMessage, EXIT } from '../base/errors.ts';

export const notForAtlas = defineMessage(
  'not-for-atlas',
  EXIT.usage,
  (d: { file: string; what: string }) =>
    `${d.file} cannot be added to the atlas: it holds ${d.what}, and only results of the gate are added; run the gate with the reporter json.`,
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

export const atlasUnwritable = defineMessage(
  'atlas-unwritable',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `The file ${d.path} cannot be written: ${d.why}; name a folder with --to that you may write to.`,
);
