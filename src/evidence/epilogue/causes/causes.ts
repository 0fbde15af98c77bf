import type { EpilogueCause } from './cause.ts';
import { codeCauses } from './codes.ts';
import { functionCauses } from './functions.ts';
import { rareStepCauses, stepCauses } from './steps.ts';
import { sumCauses } from './sums.ts';
import { tensorCauses } from './tensors.ts';

/** Mistakes that are recognized, the likeliest first. */
export const epilogueCauses: readonly EpilogueCause[] = [
  ...stepCauses,
  ...functionCauses,
  ...tensorCauses,
  ...codeCauses,
  ...sumCauses,
  ...rareStepCauses,
];
