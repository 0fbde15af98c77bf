import type { JudgingItems } from '../../evidence/items.ts';
import { makeRunCatalog, type RunCatalog } from '../../run/run-catalog.ts';
import { addMentionedTables } from './mentioned-tables.ts';

/**
 * Returns a catalogue for cases of kernels of these names, which may compute by tables of the collection. @throws ParanoiaError
 * `bad-algorithm`
 */
export function makeCatalogFor<I extends JudgingItems>(
  catalogue: RunCatalog<I>,
  kernels: readonly string[],
): RunCatalog<I> {
  const items = addMentionedTables(catalogue, kernels);
  return items === catalogue ? catalogue : makeRunCatalog(catalogue.others, items);
}
