import { cutsOf } from '../plan/path.ts';
import type { Evidence } from './evidence.ts';
import { describeRegion } from './region.ts';

/** Describes where wrong entries are: for a batch, in which products, and where in the first of them. */
export function describeWrong(
  evidence: Pick<Evidence, 'gemm' | 'plan'>,
  wrong: Uint8Array,
  hints: { readonly tile?: number } = {},
): string {
  const { m, complex } = evidence.gemm;
  const where = describeReal(evidence, wrong, hints);
  return complex === undefined ? where : `${where} (rows from ${m / 2} on are imaginary parts)`;
}

function describeReal(
  { gemm: { m, n, batch }, plan }: Pick<Evidence, 'gemm' | 'plan'>,
  wrong: Uint8Array,
  hints: { readonly tile?: number },
): string {
  const all = { cuts: cutsOf(plan), ...hints };
  if (batch === 1) return describeRegion(wrong, m, n, all).text;
  const of = (p: number) => wrong.subarray(p * m * n, (p + 1) * m * n);
  const broken = Array.from({ length: batch }, (_, p) => p).filter((p) => of(p).includes(1));
  if (broken.length === 0) return 'no entry';
  const { text } = describeRegion(of(broken[0]), m, n, all);
  const which =
    broken.length === batch
      ? `all ${batch} products of the batch`
      : `${broken.length === 1 ? 'product' : 'products'} ${broken.slice(0, PRODUCTS).join(', ')}${broken.length > PRODUCTS ? ', …' : ''} of the batch of ${batch}`;
  return `${which}: ${text}${broken.length === 1 ? '' : ` in product ${broken[0]}`}`;
}

/** The most products of a batch that are listed. */
const PRODUCTS = 8;
