import { productOf } from '../../../gpu/runner/product.ts';
import type { Matrix } from '../../../matrix/dense.ts';
import { membersOf, stackedRows } from '../../../matrix/members.ts';
import { type Factors, gemmOf, type Session } from '../../kernel.ts';

/** Computes the products of a dense batch one after the other, and stacks them. */
export async function productsApart(session: Session<Factors>, { operands, gemm }: Factors): Promise<Matrix> {
  const asked = gemmOf({ operands, gemm });
  const all: Matrix[] = [];
  for (const one of membersOf(operands, asked)) {
    const [outcome] = await session.run([{ operands: one, gemm: { ...asked, batch: 1 } }]);
    all.push(productOf(outcome).c);
  }
  return stackedRows(all, asked);
}
