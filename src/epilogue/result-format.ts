import type { GemmChain } from '../matrix/gemm.ts';
import { type Format, f32, isWholeFormat } from '../precision/format.ts';
import { formats } from '../precision/formats/formats.ts';
import type { Precision } from '../precision/precision.ts';

/** Returns the format of D: that of its codes; behind other steps binary32 where products are whole numbers. */
export function resultFormatOf(
  chain: GemmChain | undefined,
  { d }: Pick<Precision, 'd'>,
): Pick<Format, 'round' | 'name'> & Partial<Pick<Format, 'native'>> {
  if (chain?.codes !== undefined) return formats.find(chain.codes);
  return chain !== undefined && isWholeFormat(d) ? f32 : d;
}
