import type { Items } from '../evidence/items.ts';
import { type Catalogue, catalogueOf } from '../kernels/catalogue.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';

/** All items that a run can name. It is made once of built-in and the user's items, and handed down. */
export type RunCatalogue<I extends Items = Items> = Catalogue & I;

/**
 * Makes the catalogue of a run.
 * @param kernels kernels besides the built-in ones, already checked.
 * @param ofLibraries kernels of other libraries, which come with the package. @defaultValue none
 * @throws ParanoiaError `bad-kernel` for two kernels of one name.
 */
export const runCatalogueOf = <I extends Items>(
  kernels: readonly UserKernel[],
  items: I,
  ofLibraries: readonly UserKernel[] = [],
): RunCatalogue<I> => ({ ...items, ...catalogueOf(kernels, items, ofLibraries) });
