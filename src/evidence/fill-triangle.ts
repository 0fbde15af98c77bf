import type { Product } from '../gpu/runner/product.ts';
import { type Gemm, requestedGemm } from '../matrix/gemm.ts';
import { isInTriangle, structureOf } from '../matrix/structure.ts';
import { leavesTriangle } from '../matrix/structured-operands.ts';
import type { Reference } from './compared.ts';

/**
 * Gives the triangle of D that no kernel writes the exact entries, rounded, so that only the written one is judged. A symmetric result needs none:
 * its other triangle is a mirror image.
 */
export function fillTriangle<T extends Product>(
  product: T,
  gemm: Gemm,
  reference: Reference,
  round: (x: number) => number,
): T {
  const asked = requestedGemm(gemm);
  const writes = structureOf(asked)?.writes;
  const { c } = product;
  if (writes === undefined || !leavesTriangle(asked) || c.data.length !== reference.value.length)
    return product;
  const data = c.data.slice() as typeof c.data;
  for (let e = 0; e < data.length; e++) {
    const [i, j] = [Math.floor(e / gemm.n) % asked.m, e % gemm.n];
    if (!isInTriangle(writes, i, j)) data[e] = round(reference.value[e]);
  }
  return { ...product, c: { ...c, data } };
}
