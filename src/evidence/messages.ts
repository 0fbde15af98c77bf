import { defineMessage, EXIT } from '../base/errors.ts';

export const timeIsOver = defineMessage(
  'time-is-over',
  EXIT.inconclusive,
  () =>
    'The budget ended during this case, so its remaining products did not run; give more time with --budget.',
);
