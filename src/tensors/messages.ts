import { defineMessage, EXIT } from '../base/errors.ts';

export const tensorUnreadable = defineMessage(
  'tensor-unreadable',
  EXIT.usage,
  (d: { file: string; why: string; next?: string | undefined }) =>
    `Cannot read ${d.file}: ${d.why}.${d.next === undefined ? '' : ` ${d.next}.`}`,
);

export const dtypeUnknown = defineMessage(
  'dtype-unknown',
  EXIT.usage,
  (d: { file: string; dtype: string; known: readonly string[] }) =>
    `${d.file} has entries of type ${d.dtype}, which may mean several formats. Name it with --dtype: ${d.known.join(', ')}.`,
);
