import { errorCells, PAIRS } from './strassen-2011-cells.ts';
import { formulas, percentages } from './strassen-2011-counts.ts';
import { reasons2011 } from './strassen-2011-reasons.ts';
import type { StudyRecord } from './study.ts';

/** Li, Ranka and Sahni (2011): every count and every error of Figures 14, 15, 17–22, 30–32, 34, 43 and 44. */
export const strassen2011: StudyRecord = {
  name: 'strassen-2011',
  source: "Li, Ranka, Sahni: Strassen's Matrix Multiplication on GPUs (2011)",
  method: [
    'Figures 30 to 34 and 43 are errors of I + uvᵀ times its inverse against the identity, initialised in the precision of the product.',
    'The means of Figures 31 and 34 are summed in binary32, entry by entry along the rows, as the printed ones evidently were: of the classical product at n = 16384 that makes 3.3e-8 of a mean of 4.1e-8; the cases hold the means themselves.',
    'The rows classical-cpu, sgemm, dgemm and GPU8 are all measured by the classical kernel on the device, sums in index order, fused or not as the device is.',
    'Figure 44 is over random pairs: Strassen and Winograd against the classical product of the same operands, which in binary64 has the bits of a sequential product on a CPU, and dgemm against the exact product in sampled rows and columns; all over the mean absolute value of the reference. The paper says that elements are in [−1, 1]; the tables are measured so, and once more with elements in [0, 1], dgemm there against some rows of a sequential product with one rounding a term.',
    'A cell is close where the ratio to what is printed, its rounding to two digits allowed for, is within 15 % of 1 up to two levels of recursion, and within a factor of 2 beyond.',
  ].join(' '),
  figures: ['30', '31', '32', '34', '43', '44'],
  pairs: PAIRS,
  cells: errorCells,
  counts: () => [...formulas(), ...percentages()],
  reasons: reasons2011,
};
