import { defineMessage, EXIT } from '../base/errors.ts';

export const inputRefused = defineMessage(
  'input-refused',
  EXIT.usage,
  (d: { input: string; shape: string; reason: string }) =>
    `The input "${d.input}" does not support the shape ${d.shape}, because ${d.reason}.`,
);

/** The kernel stays unjudged then: the case is inconclusive. */
export const inputBroken = defineMessage(
  'input-broken',
  EXIT.inconclusive,
  (d: { input: string; shape: string; why: string }) =>
    `The input "${d.input}" cannot be made for the shape ${d.shape}: ${d.why}.`,
);
