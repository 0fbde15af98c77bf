import { defineMessage, EXIT } from '../base/errors.ts';

export const tableUnreadable = defineMessage(
  'table-unreadable',
  EXIT.usage,
  (d: { file: string; why: string }) => `The table of an algorithm in ${d.file} cannot be read: ${d.why}.`,
);

export const tableWrong = defineMessage(
  'table-wrong',
  EXIT.usage,
  (d: { name: string; why: string }) =>
    `The table of the algorithm "${d.name}" does not multiply matrices: ${d.why}; correct its file.`,
);
