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

export const optionTwice = defineMessage(
  'option-twice',
  EXIT.usage,
  (d: { option: string; count: number }) => `${d.option} was given ${d.count} times. Give it once.`,
);

export const valueUnused = defineMessage(
  'value-unused',
  EXIT.usage,
  (d: { option: string; given: string }) =>
    `${d.option} takes no value, but found "${d.given}". Leave the value out.`,
);

export const vainOption = defineMessage(
  'vain-option',
  EXIT.usage,
  (d: { option: string; without: string }) => `${d.option} requires ${d.without}.`,
);

export const missingArgument = defineMessage(
  'missing-argument',
  EXIT.usage,
  (d: { command: string; argument: string }) => `Missing argument: ${d.argument}. Usage: ${d.command}`,
);

export const extraArgument = defineMessage(
  'extra-argument',
  EXIT.usage,
  (d: { command: string; given: string; example: string }) =>
    `Unexpected argument of ${d.command}: "${d.given}". Options begin with --. Example: ${d.example}`,
);

export const noCommand = defineMessage(
  'no-command',
  EXIT.usage,
  (d: { known: readonly string[] }) =>
    `Missing command. Known: ${d.known.join(', ')}. Try gemm-paranoia --help.`,
);
