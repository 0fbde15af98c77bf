import { defineMessage, EXIT } from '../base/errors.ts';

export const fewSamples = defineMessage(
  'few-samples',
  EXIT.usage,
  (d: { what: string; least: number; given: number }) =>
    `Too few samples for ${d.what}: ${d.given}, but it needs at least ${d.least}. Run more trials.`,
);

export const partialUnusable = defineMessage(
  'partial-unusable',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `Cannot continue from ${d.file}: ${d.why}. To start over and overwrite it: --fresh. To keep it, give another --out.`,
);
