import { defineMessage, EXIT } from '../base/errors.ts';

export const emptyItem = defineMessage(
  'empty-item',
  EXIT.usage,
  (d: { option: string; given: string }) =>
    `${d.option} "${d.given}" has an empty value. Remove the extra comma.`,
);

export const missingOption = defineMessage(
  'missing-option',
  EXIT.usage,
  (d: { option: string; need: string }) => `${d.option} needs ${d.need}.`,
);

export const conflictingOptions = defineMessage(
  'conflicting-options',
  EXIT.usage,
  (d: { one: string; other: string }) =>
    `${d.one} cannot be combined with ${d.other}. Leave one of them out.`,
);
