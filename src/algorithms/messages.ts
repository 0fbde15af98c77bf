import { defineMessage, EXIT } from '../base/errors.ts';

export const badAlgorithm = defineMessage(
  'bad-algorithm',
  EXIT.usage,
  (d: { name: string; why: string }) => `The algorithm "${d.name}" cannot be used: ${d.why}.`,
);
