import type { Items } from '../evidence/items.ts';
import { type Catalogue, catalogueOf } from '../kernels/catalogue.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';

/** All that a run can name: made once of built-in and the user's items, and handed down. */
export type RunCatalogue<I extends Items = Items> = Catalogue & I;

/**
 * The catalogue of a run.
 * @param kernels those beside the built-in ones, checked already.
 * @param ofLibraries kernels of other libraries, which come with the package. @defaultValue none
 * @throws ParanoiaError `bad-kernel` for two kernels of one name.
 */
export const runCatalogueOf = <I extends Items>(
  kernels: readonly UserKernel[],
  items: I,
  ofLibraries: readonly UserKernel[] = [],
): RunCatalogue<I> => ({ ...items, ...catalogueOf(kernels, items, ofLibraries) });
