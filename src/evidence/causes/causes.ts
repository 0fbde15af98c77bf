import type { Cause } from './cause.ts';
import { codeCauses } from './codes.ts';
import { complexCauses } from './complex.ts';
import { complexFactorCauses, factorCauses } from './factors.ts';
import { layoutCauses } from './layouts.ts';
import { movedCauses } from './moved.ts';
import { narrowCauses } from './narrow.ts';
import { structureCauses } from './structures.ts';
import { termCauses } from './terms.ts';
import { nothingKnown, specialCauses, valueCauses } from './values.ts';

/** Mistakes of one kind. */
export interface CauseFamily {
  readonly causes: readonly Cause[];
  /** True if its predictions, such as zero, are what many mistakes lead to; few others are named beside it. @defaultValue false */
  readonly isPlain?: boolean;
  /** True if its mistakes are named beside plain ones. @defaultValue false */
  readonly isBesidePlain?: boolean;
}

/** Families of all mistakes that are looked for. Where several explain a product, the first is named first. */
export const families: readonly CauseFamily[] = [
  { causes: structureCauses },
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

/** Families for complex products. Mistakes in layouts and in terms are looked for in real products only. */
export const complexFamilies: readonly CauseFamily[] = [
  { causes: complexCauses },
  { causes: complexFactorCauses, isBesidePlain: true },
  { causes: valueCauses, isPlain: true },
  { causes: factorCauses, isBesidePlain: true },
  { causes: nothingKnown },
];
