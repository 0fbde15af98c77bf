import { defineMessage, EXIT } from '../base/errors.ts';

export const emptyItem = defineMessage(
  'empty-item',
  EXIT.usage,
  (d: { option: string; given: string }) =>
    `${d.option} "${d.given}" has an empty value: write one between any two commas, and none after the last.`,
);

export const missingOption = defineMessage(
  'missing-option',
  EXIT.usage,
  (d: { option: string; need: string }) => `Give ${d.option} once, with ${d.need}.`,
);

export const conflictingOptions = defineMessage(
  'conflicting-options',
  EXIT.usage,
  (d: { one: string; other: string }) => `Give either ${d.one} or ${d.other}, not both.`,
);
