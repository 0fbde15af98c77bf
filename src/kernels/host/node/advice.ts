import { type Gemm, isPlain } from '../../../matrix/gemm.ts';

/** What a worker is told that answers as those of earlier versions did. */
export const EARLIER =
  'it speaks as workers of earlier versions did: let it read m, k and n from "problem", and say "d" in place of "c"';

/** What a worker that tells of an error may have to change, as the end of a sentence; empty where nothing suggests itself. */
export function adviceOn(error: string, gemm: Gemm): string {
  if (/\blayout\b|\btranspose[AB]\b/.test(error))
    return '; there is no "layout" any more: a, b and c of "problem" say "op", "order", "ld", "offset" and "stride" of each matrix';
  if (isPlain(gemm)) return '';
  return '; a file of one dimension is the memory of a matrix, which "problem" says how to read, or let its "accepts" say less';
}
