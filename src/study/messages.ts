import { defineMessage, EXIT } from '../base/errors.ts';

export const fewSamples = defineMessage(
  'few-samples',
  EXIT.usage,
  (d: { what: string; least: number; given: number }) =>
    `There are too few samples for ${d.what}: ${d.given}, where at least ${d.least} are needed; ask for more trials.`,
);

export const partialUnusable = defineMessage(
  'partial-unusable',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `The products in ${d.file} cannot be used: ${d.why}; give --fresh to begin again and overwrite it, or another --out.`,
);
