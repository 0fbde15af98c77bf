import { defineMessage, EXIT } from '../base/errors.ts';

export const referenceStopped = defineMessage(
  'reference-stopped',
  EXIT.inconclusive,
  (d: { workers: number; why: string }) =>
    `The exact product stopped, computed by ${d.workers} threads: ${d.why}. If memory is short, use fewer threads or a smaller size.`,
);
