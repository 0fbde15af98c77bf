import { defineMessage, EXIT } from '../base/errors.ts';

export const referenceStopped = defineMessage(
  'reference-stopped',
  EXIT.inconclusive,
  (d: { workers: number; why: string }) =>
    `The exact product failed on ${d.workers} ${d.workers === 1 ? 'thread' : 'threads'}: ${d.why}. If memory is short, use fewer threads or a smaller size.`,
);
