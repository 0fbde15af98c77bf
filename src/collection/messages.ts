import { defineMessage, EXIT } from '../base/errors.ts';

export const tableUnreadable = defineMessage(
  'table-unreadable',
  EXIT.usage,
  (d: { file: string; why: string }) => `Cannot read the algorithm table ${d.file}: ${d.why}.`,
);

export const tableWrong = defineMessage(
  'table-wrong',
  EXIT.usage,
  (d: { name: string; why: string }) =>
    `The table of the algorithm "${d.name}" does not multiply matrices: ${d.why}. Correct its file.`,
);
