import type { GraderRequest } from './ask.ts';
import { allclose } from './comparisons.ts';
import { uniform } from './fills.ts';
import type { Grader } from './grader.ts';

/** Sizes m, k and n of the tests. */
const shapes = [
  [64, 64, 64],
  [128, 128, 128],
  [256, 256, 256],
  [32, 32, 512],
  [64, 64, 1024],
] as const;
const asks: readonly GraderRequest[] = shapes.map(([m, k, n]) => ({
  wanted: { m, k, n },
  fill: uniform(0, 1),
  before: 'zeros',
}));

/** GPU MODE's reference kernel of matrix products. */
export const gpuMode: Grader = {
  name: 'gpu-mode',
  what: "GPU MODE's reference kernels, matmul_py: five shapes, each with a seed, allclose with 1e-5 and 1e-8",
  source: 'gpu-mode/reference-kernels, problems/pmpp',
  cites: [
    {
      repository: 'gpu-mode/reference-kernels',
      file: 'problems/pmpp_v2/matmul_py/task.yml',
      line: 24,
      commit: '8cdfecd5d07845da25647f4d4be3b82c0f42b518',
      says: 'the tests: cubes of 64, 128, 256, then 32×32×512 and 64×64×1024, all multiples of 16',
    },
    {
      repository: 'gpu-mode/reference-kernels',
      file: 'problems/pmpp/matmul_py/reference.py',
      line: 22,
      commit: 'afd351572b097b30bd13f5c2aa9da74aa8fc11ee',
      says: 'make_match_reference without tolerances, whose defaults are rtol=1e-5 and atol=1e-8; float16 uniform in [0, 1] above',
    },
  ],
  asked:
    'Five shapes, all multiples of 16, uniform in [0, 1], once each, against a product in the same type.',
  blind: ['sizes that are no multiples of 16', 'transposes, layouts, batches, factors', 'errors in signs'],
  asks: () => asks,
  reference: 'same',
  rounds: true,
  gaps: 0,
  guards: false,
  passes: allclose(1e-5, 1e-8),
};
