import { defineMessage, EXIT } from '../base/errors.ts';

export const notForAtlas = defineMessage(
  'not-for-atlas',
  EXIT.usage,
  (d: { file: string; what: string }) =>
    `${d.file} cannot be added to the atlas: it holds ${d.what}. The atlas accepts only results of the gate. Run gate with --reporter json.`,
);

export const entryTooLarge = defineMessage(
  'entry-too-large',
  EXIT.usage,
  (d: { file: string; bytes: number; most: number }) =>
    `The entry of ${d.file} needs ${d.bytes} bytes even without its passing cases (limit ${d.most}). Add runs of fewer kernels each.`,
);

export const badEntry = defineMessage(
  'bad-entry',
  EXIT.fail,
  (d: { file: string; why: string }) =>
    `The atlas entry ${d.file} cannot be used: ${d.why}. Make it again with atlas add, or remove it.`,
);

export const entryUnreadable = defineMessage(
  'entry-unreadable',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `The atlas entry ${d.file} cannot be read: ${d.why}. Make it readable, or name another folder.`,
);

export const newerEntry = defineMessage(
  'newer-entry',
  EXIT.usage,
  (d: { file: string; schema: string; reads: string }) =>
    `The atlas entry ${d.file} comes from a newer version (${d.schema}; this version reads ${d.reads}). Update gemm-paranoia.`,
);

export const entriesUnusable = defineMessage(
  'entries-unusable',
  EXIT.usage,
  (d: { folder: string; why: string }) =>
    `The entries in ${d.folder} cannot be read: ${d.why}. Name the folder that atlas add writes to.`,
);

export const noEntries = defineMessage(
  'no-entries',
  EXIT.usage,
  (d: { folder: string }) =>
    `The folder ${d.folder} has no atlas entries. Add results with atlas add, or name another folder with --from.`,
);

export const atlasUnwritable = defineMessage(
  'atlas-unwritable',
  EXIT.usage,
  (d: { path: string; why: string }) => `Cannot write ${d.path}: ${d.why}. Name a writable folder with --to.`,
);
