import { allclose } from './comparisons.ts';
import type { Grader } from './grader.ts';
import { threeSquares } from './torch-assert-close.ts';

/** `numpy.allclose` with its defaults. */
export const numpyAllclose: Grader = {
  name: 'numpy-allclose',
  what: 'numpy.allclose with its defaults: |error| ≤ 1e-8 + 1e-5·|expected|, whatever the type',
  source: 'NumPy 2.4.6, numpy/_core/numeric.py',
  cites: [
    {
      repository: 'numpy/numpy',
      file: 'numpy/_core/numeric.py',
      line: 2291,
      commit: 'v2.4.6',
      says: 'allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False)',
    },
    {
      repository: 'numpy/numpy',
      file: 'numpy/_core/numeric.py',
      line: 2507,
      commit: 'v2.4.6',
      says: '|x − y| ≤ atol + rtol·|y|, entry by entry',
    },
  ],
  asked:
    'The function has no products of its own. Here it gets the three squares of normal numbers of torch-assert-close, against a product in the same type.',
  blind: ['everything that the author did not test'],
  asks: () => threeSquares,
  reference: 'same',
  rounds: true,
  gaps: 0,
  guards: false,
  passes: allclose(1e-5, 1e-8),
};
