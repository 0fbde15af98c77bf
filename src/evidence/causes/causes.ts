import type { Cause } from './cause.ts';
import { factorCauses } from './factors.ts';
import { layoutCauses } from './layouts.ts';
import { movedCauses } from './moved.ts';
import { narrowCauses } from './narrow.ts';
import { specialCauses } from './special.ts';
import { termCauses } from './terms.ts';
import { nothingKnown, valueCauses } from './values.ts';

/** Every mistake that is looked for, by what it is made in; of several that explain a product, the first is named first. */
export const families: readonly (readonly Cause[])[] = [
  valueCauses,
  factorCauses,
  termCauses,
  movedCauses,
  layoutCauses,
  specialCauses,
  narrowCauses,
  nothingKnown,
];
