const ELEMENTS =
  'What is printed is what elements in [0, 1] give, as rand()/RAND_MAX makes them; those tables are below.';

const dgemm = (reading: string) =>
  `${ELEMENTS} Printed is, besides, how far a classical product with one rounding a term is from one with two; measured here is the ${reading} error of the classical product against the exact one.`;

/** Why cells of the 2011 study depart from print, by figure, row and column. */
export const reasons2011: Readonly<Record<string, string>> = {
  'Figure 44/maximum/dgemm': dgemm('largest'),
  'Figure 44/maximum/dStrassen': ELEMENTS,
  'Figure 44/maximum/dWinograd': ELEMENTS,
  'Figure 44/average/dgemm': dgemm('mean'),
  'Figure 44/average/dStrassen': ELEMENTS,
  'Figure 44/average/dWinograd': ELEMENTS,
  'Figure 44, elements in [0, 1]/maximum/dgemm':
    'Only 8 rows of each product are summed again: the largest difference among them is 3 units in the last place, and that of all rows, as printed, 4.',
};
