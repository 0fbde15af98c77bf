const DGEMM =
  'Printed is how far two classical products, of dgemm and of the CPU, are apart, which sum in the same order and round nearly always alike (fused and unfused sums would be 6.7e-16 apart on average); measured is the error of one classical product against the exact one.';

/** Why cells of the 2011 study depart from print, by figure, row and column. */
export const reasons2011: Readonly<Record<string, string>> = {
  'Figure 44/maximum/dgemm': DGEMM,
  'Figure 44/average/dgemm': DGEMM,
};
