import { defineMessage, EXIT } from '../base/errors.ts';

export const noCases = defineMessage(
  'no-cases',
  EXIT.inconclusive,
  () => 'Nothing was run: no input accepts these sizes and levels; choose other sizes or inputs.',
);
