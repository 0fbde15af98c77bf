import { addCollectionTables } from '../../collection/node/collected-algorithms.ts';
import type { CaseItems } from '../../kernels/case-items.ts';

/** Adds the tables of the collection that names of kernels, or their claims, mention. @throws ParanoiaError `bad-algorithm` */
export function addMentionedTables<I extends CaseItems>(items: I, kernels: readonly unknown[]): I {
  const algorithms = addCollectionTables(items.algorithms, kernels.flatMap(mentioned));
  return algorithms === items.algorithms ? items : { ...items, algorithms };
}

/** A value that may be a kernel, unchecked. */
type Claiming = { readonly claims?: { readonly algorithm?: unknown } | null };

function mentioned(kernel: unknown): string[] {
  if (typeof kernel === 'string') return [kernel.split(':')[0]];
  const algorithm = (kernel as Claiming | null | undefined)?.claims?.algorithm;
  return typeof algorithm === 'string' ? [algorithm] : [];
}
