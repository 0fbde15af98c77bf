import { defineMessage, EXIT } from '../base/errors.ts';

export const noCases = defineMessage(
  'no-cases',
  EXIT.inconclusive,
  () => 'No case ran: no input accepts these sizes and levels. Choose other sizes or inputs.',
);
