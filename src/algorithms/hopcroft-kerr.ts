import type { Algorithm } from './algorithm.ts';
import { parseAlgorithmTable } from './notation.ts';

/**
 * A ⟨2,2,3;11⟩ algorithm with the rank of Hopcroft and Kerr, and coefficients found otherwise. Its sums are those of the table, none
 * shared.
 */
export const hopcroftKerr223: Algorithm = {
  name: 'hopcroft-kerr-223',
  title: 'Hopcroft–Kerr ⟨2,2,3⟩',
  what: '11 block products instead of 12, for blocks 2×2 by 2×3',
  source:
    'the rank: Hopcroft, Kerr 1971, On minimizing the number of multiplications necessary for matrix multiplication; the coefficients: a ⟨2,3,2⟩ table found by M. Musuvathi with a SAT solver, in the collection of Benson, Ballard 2015, brought to this shape',
  ...parseAlgorithmTable(
    'hopcroft-kerr-223',
    { m: 2, k: 2, n: 3 },
    [
      'A11 * B11',
      'A21 * B11',
      '(A11 - A21) * (B12 - B13)',
      '-A21 * (B12 - B22)',
      '(A12 + A21) * (B13 - B22)',
      '-A12 * (B13 - B23)',
      '(-A11 - A12) * B13',
      'A12 * B21',
      'A22 * B21',
      '(A12 - A22) * (B22 - B23)',
      '(-A21 - A22) * -B22',
    ],
    ['M1 + M8', 'M3 - M4 - M5 - M7', 'M6 - M7', 'M2 + M9', '-M4 + M11', 'M5 + M6 + M10 + M11'],
  ),
};

/**
 * A ⟨2,3,4;20⟩ algorithm with the rank of Hopcroft and Kerr, and coefficients found otherwise. Its sums are those of the table, none
 * shared.
 */
export const hopcroftKerr234: Algorithm = {
  name: 'hopcroft-kerr-234',
  title: 'Hopcroft–Kerr ⟨2,3,4⟩',
  what: '20 block products instead of 24, for blocks 2×3 by 3×4',
  source:
    'the rank: Hopcroft, Kerr 1971, On minimizing the number of multiplications necessary for matrix multiplication; the coefficients: a ⟨4,2,3⟩ table of Benson, Ballard 2015, brought to this shape',
  ...parseAlgorithmTable(
    'hopcroft-kerr-234',
    { m: 2, k: 3, n: 4 },
    [
      'A11 * (-B13 + B23)',
      '-A13 * B33',
      '(-A12 + A13 - A21 - A23) * (-B12 + B24)',
      '(-A12 + A22) * (-B12 - B21 + B22 + B23 - B31 + B32)',
      '(A11 + A22) * (-B11 + B23)',
      '(A11 + A12) * B12',
      'A22 * (-B11 + B21)',
      '(A11 + A13 - A21 - A23) * (-B12 + B24 - B33 + B34)',
      '(A21 + A22) * B11',
      '(-A12 + A13) * (B12 - B22)',
      'A23 * (-B14 + B24 + B34)',
      '(-A12 + A13 + A22) * (-B12 + B22 - B31 + B32)',
      '(A11 - A21 - A23) * (B14 - B24 + B33 - B34)',
      '(A21 + A23) * (B14 - B24)',
      '(A11 - A21) * (B11 - B13 + B14 - B24 + B33 - B34)',
      'A23 * B31',
      '(-A21 - A22) * B24',
      '(A11 + A12) * B23',
      '(-A12 + A13 + A22 - A23) * (-B12 + B24 - B31 + B32)',
      'A13 * (-B12 + B22 + B32)',
    ],
    [
      'M4 - M5 + M7 - M12 + M18 + M20',
      'M6 + M10 + M20',
      '-M1 - M2 + M18',
      '-M2 - M3 + M6 + M8 + M13 + M14',
      'M7 + M9 + M16',
      'M3 + M10 + M12 + M16 - M17 - M19',
      '-M1 + M5 + M9 + M11 - M13 + M15',
      'M11 + M14 - M17',
    ],
  ),
};
