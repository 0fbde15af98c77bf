import { type Product, requireProduct } from '../../../gpu/runner/product.ts';
import { matrix, type Shape } from '../../../matrix/dense.ts';
import { plainGemm } from '../../../matrix/gemm.ts';
import { cutEntries, joinEntries } from '../../../matrix/members.ts';
import type { KernelSession, ProductInput } from '../../kernel.ts';

/** Computes products one after the other, and joins their results. Counts of changed entries are those of all of them. */
export async function productsApart(
  session: KernelSession<ProductInput>,
  { operands }: ProductInput,
  shapes: readonly Shape[],
): Promise<Product> {
  const a = cutEntries(operands.a.data, shapes, ({ m, k }) => m * k);
  const b = cutEntries(operands.b.data, shapes, ({ k, n }) => k * n);
  const all: Product[] = [];
  for (const [at, { m, k, n }] of shapes.entries()) {
    const own = { a: matrix(m, k, a[at].slice()), b: matrix(k, n, b[at].slice()) };
    const [outcome] = await session.run([{ operands: own, gemm: plainGemm({ m, k, n }) }]);
    all.push(requireProduct(outcome));
  }
  const entries = joinEntries(all.map(({ c }) => c.data));
  const sum = (of: 'unwritten' | 'overwritten' | 'changed' | 'seconds') =>
    all.reduce((made, { [of]: own = 0 }) => made + own, 0);
  return {
    c: matrix(1, entries.length, entries),
    ...{ unwritten: sum('unwritten'), overwritten: sum('overwritten') },
    ...{ changed: sum('changed'), seconds: sum('seconds') },
  };
}
