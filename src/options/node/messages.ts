import { defineMessage, EXIT } from '../../base/errors.ts';

export const optionTwice = defineMessage(
  'option-twice',
  EXIT.usage,
  (d: { option: string; count: number }) => `${d.option} is given ${d.count} times: give it once.`,
);

export const valueUnused = defineMessage(
  'value-unused',
  EXIT.usage,
  (d: { option: string; given: string }) =>
    `${d.option} takes no value, but is given "${d.given}": leave the value out.`,
);

export const vainOption = defineMessage(
  'vain-option',
  EXIT.usage,
  (d: { option: string; without: string }) =>
    `${d.option} means nothing without ${d.without}: give both, or neither.`,
);

export const missingArgument = defineMessage(
  'missing-argument',
  EXIT.usage,
  (d: { command: string; argument: string }) => `Say which ${d.argument}: ${d.command}.`,
);

export const extraArgument = defineMessage(
  'extra-argument',
  EXIT.usage,
  (d: { command: string; given: string; example: string }) =>
    `${d.command} does not take "${d.given}": what it is told begins with --, as in: ${d.example}`,
);

export const noCommand = defineMessage(
  'no-command',
  EXIT.usage,
  (d: { known: readonly string[] }) =>
    `Say what to do: ${d.known.join(', ')} (gemm-paranoia --help tells more).`,
);
