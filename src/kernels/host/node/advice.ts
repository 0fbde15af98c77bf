import { type Gemm, isPlain } from '../../../matrix/gemm.ts';

/** What a worker that tells of an error may have to change, as the end of a sentence; empty where nothing suggests itself. */
export function adviceOn(gemm: Gemm): string {
  if (isPlain(gemm)) return '';
  return '; a file of one dimension is the memory of a matrix, which "problem" says how to read, or let its "accepts" say less';
}
