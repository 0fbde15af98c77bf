/** Transactions of one size. Each moves `bytes` and serves `per` entries (or, for a product, `per` terms). */
export interface Transfer {
  readonly per: number;
  readonly bytes: number;
}

/** The transfers of kernels of one kind between device memory and multiprocessors. */
export interface MachineModel {
  readonly name: string;
  readonly title: string;
  /** The source of the numbers. */
  readonly source: string;
  /** Reads of A and of B by an m×k×n product, for each of its m·k·n terms x·y. */
  readonly productReads: { readonly A: Transfer; readonly B: Transfer };
  /** The transfer of one block read or written after a product, per entry: its result, and the blocks that it updates. */
  readonly epiloguePass: Transfer;
  /** The transfer of one block read or written by a sum of blocks, per entry. */
  readonly combinePass: Transfer;
}

/** The kernel GPU8 and the add and sub kernels on NVIDIA's Tesla C1060, binary32. */
export const c1060: MachineModel = {
  name: 'c1060',
  title: 'GPU8 on a Tesla C1060',
  source: 'Li, Ranka, Sahni 2011, sections 4 and 5, Figures 8 to 11',
  productReads: { A: { per: 4096, bytes: 128 }, B: { per: 256, bytes: 64 } },
  epiloguePass: { per: 16, bytes: 64 },
  combinePass: { per: 32, bytes: 128 },
};
