import type { Role, Values } from '../algorithms/notation.ts';
import { readBy } from '../algorithms/notation.ts';
import type { Style } from './plan.ts';

/**
 * The launches in which a style computes the values of a level, indices of values each: a product or none, then sums.
 * Scheduled, as the schedule says, but for sums of another matrix's blocks than the launch begins with: their sizes may
 * differ, and they follow in launches of their own. Wide, all sums of A's blocks, all of B's, the products, then all sums of products: the
 * same operations in fewer passes and more workspace, each sum with the same terms, so that C has the same bits.
 * Sums that nothing reads are left out.
 */
export function launchesOf(values: Values, style: Style): number[][] {
  const needed = neededOf(values);
  const launches = values.groups.flatMap((group) =>
    (['C', 'A', 'B'] as const).map((role) =>
      group.filter((at) => needed.has(at) && values.all[at].role === role),
    ),
  );
  if (style !== 'wide') return launches.filter((group) => group.length > 0);
  const all = launches.flat();
  const sums = (role: Role) =>
    all.filter((at) => values.all[at].kind === 'sum' && values.all[at].role === role);
  const products = all.filter((at) => values.all[at].kind === 'product');
  return [sums('A'), sums('B'), ...products.map((at) => [at]), sums('C')].filter((group) => group.length > 0);
}

/** All products, and the sums that some product or block of C depends on. */
function neededOf({ all, outputs }: Values): Set<number> {
  const needed = new Set(outputs);
  for (let at = all.length - 1; at >= 0; at--) {
    if (all[at].kind === 'product') needed.add(at);
    if (needed.has(at)) for (const of of readBy(all[at])) needed.add(of);
  }
  return needed;
}
