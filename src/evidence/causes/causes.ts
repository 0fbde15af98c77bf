import type { Cause } from './cause.ts';
import { codeCauses } from './codes.ts';
import { complexCauses } from './complex.ts';
import { complexFactorCauses, factorCauses } from './factors.ts';
import { layoutCauses } from './layouts.ts';
import { movedCauses } from './moved.ts';
import { narrowCauses } from './narrow.ts';
import { specialCauses } from './special.ts';
import { termCauses } from './terms.ts';
import { nothingKnown, valueCauses } from './values.ts';

/** Mistakes of one kind. */
export interface Family {
  readonly causes: readonly Cause[];
  /** Whether what it says, such as zero, is what many others come to: few are named beside it. @defaultValue false */
  readonly isPlain?: boolean;
  /** Whether its mistakes are named beside those. @defaultValue false */
  readonly isBesidePlain?: boolean;
}

/** Every mistake that is looked for; of several that explain a product, the first is named first. */
export const families: readonly Family[] = [
  { causes: valueCauses, isPlain: true },
  { causes: factorCauses, isBesidePlain: true },
  { causes: termCauses, isBesidePlain: true },
  { causes: movedCauses },
  { causes: layoutCauses },
  { causes: codeCauses },
  { causes: specialCauses },
  { causes: narrowCauses },
  { causes: nothingKnown },
];

/** Those of complex products: what is read of memory, and which terms are, is asked of real ones. */
export const complexFamilies: readonly Family[] = [
  { causes: complexCauses },
  { causes: complexFactorCauses, isBesidePlain: true },
  { causes: valueCauses, isPlain: true },
  { causes: factorCauses, isBesidePlain: true },
  { causes: nothingKnown },
];
