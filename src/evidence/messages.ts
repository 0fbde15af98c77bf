import { defineMessage, EXIT } from '../base/errors.ts';

export const timeIsOver = defineMessage(
  'time-is-over',
  EXIT.inconclusive,
  () =>
    'Its budget was over in the middle, so that no other product was asked for; give more time with --budget.',
);
