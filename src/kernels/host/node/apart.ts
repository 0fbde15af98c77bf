import { requireProduct } from '../../../gpu/runner/product.ts';
import type { Matrix } from '../../../matrix/dense.ts';
import { membersOf, stackRows } from '../../../matrix/members.ts';
import { gemmOfInput, type KernelSession, type ProductInput } from '../../kernel.ts';

/** Computes the products of a dense batch one after the other, and stacks them. */
export async function productsApart(
  session: KernelSession<ProductInput>,
  { operands, gemm }: ProductInput,
): Promise<Matrix> {
  const asked = gemmOfInput({ operands, gemm });
  const all: Matrix[] = [];
  for (const one of membersOf(operands, asked)) {
    const [outcome] = await session.run([{ operands: one, gemm: { ...asked, batch: 1 } }]);
    all.push(requireProduct(outcome).c);
  }
  return stackRows(all, asked);
}
