import { defineMessage, EXIT } from '../src/base/errors.ts';

export const otherOutcomes = defineMessage(
  'other-outcomes',
  EXIT.usage,
  (d: { file: string; theirs: string; ours: string }) =>
    `${d.file} has outcomes for ${d.theirs}, but this run has ${d.ours}. Use the same options, or another --out.`,
);

export const badOutcomes = defineMessage(
  'bad-outcomes',
  EXIT.usage,
  (d: { file: string; line: number }) =>
    `Line ${d.line} of ${d.file} is not an outcome of a grader. Remove the file, or give another --out.`,
);

export const graderJobLost = defineMessage(
  'grader-job-lost',
  EXIT.internal,
  (d: { grader: string; specimen: string; why: string }) =>
    `The process of ${d.grader} on ${d.specimen} failed: ${d.why}. Earlier outcomes are kept. The same command continues.`,
);

export const honestJobLost = defineMessage(
  'honest-job-lost',
  EXIT.internal,
  (d: { seed: number; why: string }) =>
    `The process of seed ${d.seed} ended early: ${JSON.stringify(d.why)}. For its full output, run honest with --seed ${d.seed} alone.`,
);

export const planChanged = defineMessage(
  'plan-changed',
  EXIT.usage,
  (d: { file: string; kernels: number }) =>
    `The cases of ${d.kernels} kernels in ${d.file} are no longer those of the default gate. Run "npm run lab -- kills" again.`,
);
