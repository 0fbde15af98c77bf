import { loadPart } from '../../base/part.ts';
import type { JudgingItems } from '../../evidence/items.ts';
import type { CaseItems } from '../../kernels/case-items.ts';
import { makeRunCatalog, type RunCatalog } from '../../run/run-catalog.ts';

/** Adds the tables of the collection that names of kernels, or their claims, mention. @throws ParanoiaError `bad-algorithm` */
export async function addMentionedTables<I extends CaseItems>(
  items: I,
  kernels: readonly unknown[],
): Promise<I> {
  const unknown = kernels.flatMap(mentioned).filter((name) => items.algorithms.get(name) === undefined);
  if (unknown.length === 0) return items;
  const { addCollectionTables } = await loadPart(
    'reads tables of algorithms',
    () => import('../../collection/node/read-tables.ts'),
  );
  const algorithms = addCollectionTables(items.algorithms, unknown);
  return algorithms === items.algorithms ? items : { ...items, algorithms };
}

/** A value that may be a kernel, unchecked. */
type Claiming = { readonly claims?: { readonly algorithm?: unknown } | null };

function mentioned(kernel: unknown): string[] {
  if (typeof kernel === 'string') return [kernel.split(':')[0]];
  const algorithm = (kernel as Claiming | null | undefined)?.claims?.algorithm;
  return typeof algorithm === 'string' ? [algorithm] : [];
}

/**
 * Returns a catalog for cases of kernels of these names, which may compute by tables of the collection. @throws ParanoiaError
 * `bad-algorithm`
 */
export async function makeCatalogFor<I extends JudgingItems>(
  catalog: RunCatalog<I>,
  kernels: readonly string[],
): Promise<RunCatalog<I>> {
  const items = await addMentionedTables(catalog, kernels);
  return items === catalog ? catalog : makeRunCatalog(catalog.others, items);
}
