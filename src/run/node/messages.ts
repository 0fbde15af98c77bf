import { defineMessage, EXIT } from '../../base/errors.ts';

export const badBaselines = defineMessage(
  'bad-baselines',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `The baselines in ${d.file} cannot be used: ${d.why}; mend or remove the file.`,
);

export const folderUnusable = defineMessage(
  'folder-unusable',
  EXIT.usage,
  (d: { option: string; path: string; why: string; maker: string }) =>
    `The folder ${d.path}, given for ${d.option}, cannot be used: ${d.why}; name one that is there, or let ${d.maker} make it.`,
);

export const jsonUnwritable = defineMessage(
  'json-unwritable',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `The file ${d.path} of --json cannot be written: ${d.why}; name a file in a folder that you may write to.`,
);
