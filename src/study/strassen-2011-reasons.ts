const DGEMM =
  'Printed is how far two classical products, of dgemm and of the CPU, are apart, which is nothing where both sum in the same order and round alike; measured is the error of one classical product against the exact one.';

/** Why cells of the 2011 study depart from print, by figure, row and column. */
export const reasons2011: Readonly<Record<string, string>> = {
  'Figure 44/maximum/dgemm': DGEMM,
  'Figure 44/average/dgemm': DGEMM,
};
