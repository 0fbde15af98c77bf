import type { Registry } from '../base/registry.ts';
import type { Check } from '../evidence/checks/check.ts';
import { checks } from '../evidence/checks/checks.ts';
import { type Catalogue, catalogueOf } from '../kernels/catalogue.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';

/** Registries of built-in and the user's items that a catalogue is made of. */
export interface Items {
  readonly checks: Registry<Check>;
}

export const builtinItems: Items = { checks };

/** All that a run can name: made once of built-in and the user's items, and handed down. */
export type RunCatalogue<I extends Items = Items> = Catalogue & I;

/**
 * The catalogue of a run.
 * @param kernels those beside the built-in ones, checked already.
 * @throws ParanoiaError `bad-kernel` for two kernels of one name.
 */
export const runCatalogueOf = <I extends Items>(
  kernels: readonly UserKernel[],
  items: I,
): RunCatalogue<I> => ({
  ...items,
  ...catalogueOf(kernels),
});
