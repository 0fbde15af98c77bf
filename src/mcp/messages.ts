import { defineMessage, EXIT } from '../base/errors.ts';

export const noVerdict = defineMessage(
  'no-verdict',
  EXIT.inconclusive,
  (d: { command: string; code: number; why: string }) =>
    `There is no verdict: ${d.command} ended with exit code ${d.code}: ${d.why}`,
);

export const notInRun = defineMessage(
  'not-in-run',
  EXIT.usage,
  (d: { case: string }) =>
    `That run has no case ${d.case}: name one of its failures as the verdict prints it, or replay it first.`,
);
