import { defineMessage, EXIT } from '../base/errors.ts';

export const badEpilogueStep = defineMessage(
  'bad-epilogue-step',
  EXIT.usage,
  (d: { at: number; step: string; why: string }) =>
    `Step ${d.at + 1} of the epilogue, ${d.step}, cannot be used: ${d.why}.`,
);

export const badEpilogue = defineMessage(
  'bad-epilogue',
  EXIT.usage,
  (d: { why: string }) => `The epilogue cannot be read: ${d.why}.`,
);
