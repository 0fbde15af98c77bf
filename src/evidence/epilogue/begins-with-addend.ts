import { readChain } from '../../epilogue/chain-text.ts';
import { type Gemm, readsAddend } from '../../matrix/gemm.ts';

/** True if the epilogue begins with an addend that a kernel may add at the start of its sums. */
export const beginsWithAddend = (gemm: Gemm): boolean =>
  gemm.chain !== undefined &&
  !readsAddend(gemm) &&
  readChain(gemm.chain.text).steps[0].record.isAddend === true;
