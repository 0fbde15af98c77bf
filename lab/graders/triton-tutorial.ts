import type { GraderRequest } from './ask.ts';
import { allclose } from './comparisons.ts';
import { normal } from './fills.ts';
import type { Grader } from './grader.ts';

const TUTORIAL = {
  repository: 'triton-lang/triton',
  file: 'python/tutorials/03-matrix-multiplication.py',
  commit: '7649d87cce6c12361bb9da234b9b227b2880b499',
};
const asks: readonly GraderRequest[] = [
  { wanted: { m: 512, k: 512, n: 512 }, fill: normal, before: 'zeros' },
];

/** The unit test of Triton's tutorial, from which many kernels start. */
export const tritonTutorial: Grader = {
  name: 'triton-tutorial',
  what: "The unit test of Triton's tutorial: one square of 512, |error| ≤ 0.01",
  source: 'Triton, python/tutorials/03-matrix-multiplication.py',
  cites: [
    { ...TUTORIAL, line: 360, says: 'torch.randn of 512×512 in float16, twice, of seed 0' },
    { ...TUTORIAL, line: 370, says: 'torch.allclose with atol=1e-2 and rtol=0, but on CDNA2' },
  ],
  asked: 'One product of 512×512×512 of normal numbers.',
  blind: ['every shape but one', 'transposes, layouts, batches, factors', 'errors below 0.01'],
  asks: () => asks,
  reference: 'same',
  rounds: true,
  gaps: 0,
  guards: false,
  passes: allclose(0, 1e-2),
};
