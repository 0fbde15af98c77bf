import {
  fileOptions,
  type RunRequest,
  runOptions,
  thresholdOptions,
  trustOptions,
} from '../../config/run-options.ts';
import { type OptionTable, only, type ValuesOf } from '../../options/option.ts';
import { caseOption } from '../gate/options.ts';

export const judgeOptions = {
  ...only(runOptions, 'precisions'),
  case: { ...caseOption, what: 'Run this case alone: what a failure prints' },
  seed: { ...runOptions.seed, usual: 'a secret, which the verdict tells' },
  ...only(runOptions, 'adapter', 'toggles'),
  sigmas: thresholdOptions.sigmas,
  ...fileOptions,
  ...trustOptions,
  budget: {
    ...runOptions.budget,
    usual: 'quick, 10 s from the start to the verdict, and up to 60 s for what a pass needs',
  },
  ...only(runOptions, 'cases', 'timeLimit'),
  reporters: { ...runOptions.reporters, usual: 'json,html where --out is given' },
  out: { ...runOptions.out, what: 'Write full reports there', usual: 'none are written' },
} as const satisfies OptionTable;

/** The request that a judge makes. */
export interface JudgeRequest extends RunRequest, ValuesOf<typeof judgeOptions> {}
