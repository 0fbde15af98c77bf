import { defineMessage, EXIT } from '../base/errors.ts';

export const noVerdict = defineMessage(
  'no-verdict',
  EXIT.inconclusive,
  (d: { command: string; code: number; why: string }) =>
    `No verdict: ${d.command} ended with exit code ${d.code}. ${d.why}`,
);

export const notInRun = defineMessage(
  'not-in-run',
  EXIT.usage,
  (d: { case: string }) =>
    `The run has no case ${d.case}. Name a failure as the verdict prints it, or replay the case first.`,
);
