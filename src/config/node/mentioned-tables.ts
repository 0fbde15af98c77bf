import { isRecord } from '../../base/guards.ts';
import { addCollectionTables } from '../../collection/node/collected-algorithms.ts';
import type { CaseItems } from '../../kernels/case-items.ts';

/** Adds the tables of the collection that names of kernels, or their claims, mention. @throws ParanoiaError `bad-algorithm` */
export function addMentionedTables<I extends CaseItems>(items: I, kernels: readonly unknown[]): I {
  const algorithms = addCollectionTables(items.algorithms, kernels.flatMap(mentioned));
  return algorithms === items.algorithms ? items : { ...items, algorithms };
}

function mentioned(kernel: unknown): string[] {
  if (typeof kernel === 'string') return [kernel.split(':')[0]];
  const claims = isRecord(kernel) && isRecord(kernel.claims) ? kernel.claims : {};
  return typeof claims.algorithm === 'string' ? [claims.algorithm] : [];
}
