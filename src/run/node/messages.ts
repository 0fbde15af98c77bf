import { defineMessage, EXIT } from '../../base/errors.ts';

export const badBaselines = defineMessage(
  'bad-baselines',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `The baselines in ${d.file} cannot be used: ${d.why}. Fix or remove the file.`,
);

export const folderUnusable = defineMessage(
  'folder-unusable',
  EXIT.usage,
  (d: { option: string; path: string; why: string; maker: string }) =>
    `The folder ${d.path} of ${d.option} cannot be used: ${d.why}. Name an existing folder, or let ${d.maker} create it.`,
);

export const jsonUnwritable = defineMessage(
  'json-unwritable',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `The file ${d.path} of --json cannot be written: ${d.why}. Name a file in a writable folder.`,
);
