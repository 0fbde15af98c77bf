import type { GraderRequest } from './ask.ts';
import { allclose } from './comparisons.ts';
import type { ExpectedComparison } from './expected-comparison.ts';
import { normal } from './fills.ts';
import type { Grader } from './grader.ts';

/** Relative and absolute tolerances by the significand bits of a format: binary16, bfloat16, binary32, binary64. */
const TOLERANCES: Readonly<Record<number, readonly [rtol: number, atol: number]>> = {
  11: [1e-3, 1e-5],
  8: [1.6e-2, 1e-5],
  24: [1.3e-6, 1e-5],
  53: [1e-7, 1e-7],
};

/** Returns the default tolerances of torch.testing for results of a format. */
export function torchTolerances({
  format,
}: Pick<ExpectedComparison, 'format'>): readonly [rtol: number, atol: number] {
  return TOLERANCES[format.precision] ?? TOLERANCES[24];
}

/** Three squares of normal numbers, as authors' own tests commonly use; the functions themselves prescribe no products. */
export const threeSquares: readonly GraderRequest[] = [64, 128, 256].map((n) => ({
  wanted: { m: n, k: n, n },
  fill: normal,
  before: 'zeros',
}));

/** `torch.testing.assert_close` with its defaults. */
export const torchAssertClose: Grader = {
  name: 'torch-assert-close',
  what: 'torch.testing.assert_close with its defaults: |error| ≤ atol + rtol·|expected| of the type of the result',
  source: 'PyTorch 2.13.0, torch/testing/_comparison.py',
  cites: [
    {
      repository: 'pytorch/pytorch',
      file: 'torch/testing/_comparison.py',
      line: 83,
      commit: 'cf30153c4c131c8164ee7798e5022d810682e2cb',
      says: 'relative and absolute tolerances: 1e-3 and 1e-5 for float16, 1.6e-2 and 1e-5 for bfloat16, 1.3e-6 and 1e-5 for float32, 1e-7 both for float64',
    },
    {
      repository: 'pytorch/pytorch',
      file: 'torch/testing/_comparison.py',
      line: 1357,
      commit: 'cf30153c4c131c8164ee7798e5022d810682e2cb',
      says: 'assert_close takes these where none are given, and NaN is equal to nothing',
    },
  ],
  asked:
    'The function has no products of its own. Here it gets squares of 64, 128 and 256 of normal numbers, against a product in the same type, as authors write it.',
  blind: ['everything that the author did not test'],
  asks: () => threeSquares,
  reference: 'same',
  rounds: true,
  gaps: 0,
  guards: false,
  passes: (compared) => allclose(...torchTolerances(compared))(compared),
};
