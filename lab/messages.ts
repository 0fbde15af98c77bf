import { defineMessage, EXIT } from '../src/base/errors.ts';

export const otherOutcomes = defineMessage(
  'other-outcomes',
  EXIT.usage,
  (d: { file: string; theirs: string; ours: string }) =>
    `${d.file} holds what graders said with ${d.theirs}, and is asked to go on with ${d.ours}: give the same, or another --out.`,
);

export const badOutcomes = defineMessage(
  'bad-outcomes',
  EXIT.usage,
  (d: { file: string; line: number }) =>
    `Line ${d.line} of ${d.file} is no outcome of graders: remove the file, or give another --out.`,
);

export const graderJobLost = defineMessage(
  'grader-job-lost',
  EXIT.internal,
  (d: { grader: string; specimen: string; why: string }) =>
    `The process that asked ${d.specimen} for ${d.grader} failed: ${d.why}; what was said before is kept, so that the same command goes on.`,
);

export const honestJobLost = defineMessage(
  'honest-job-lost',
  EXIT.internal,
  (d: { seed: number; why: string }) =>
    `The process of seed ${d.seed} ended before its cases did: ${JSON.stringify(d.why)}; run honest with --seed ${d.seed} alone to see all that it says.`,
);
