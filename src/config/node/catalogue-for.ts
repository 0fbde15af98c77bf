import type { Items } from '../../evidence/items.ts';
import { type RunCatalogue, runCatalogueOf } from '../../run/run-catalogue.ts';
import { withMentioned } from './mentioned.ts';

/**
 * Returns a catalogue for cases of kernels of these names, which may compute by tables of the collection. @throws ParanoiaError
 * `bad-algorithm`
 */
export function catalogueFor<I extends Items>(
  catalogue: RunCatalogue<I>,
  kernels: readonly string[],
): RunCatalogue<I> {
  const items = withMentioned(catalogue, kernels);
  return items === catalogue ? catalogue : runCatalogueOf(catalogue.others, items);
}
