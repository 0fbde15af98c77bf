import { allclose } from './comparisons.ts';
import { normal } from './fills.ts';
import type { Grader } from './grader.ts';

const N = 2048;
const TRIALS = 5;
const EVAL = {
  repository: 'ScalingIntelligence/KernelBench',
  file: 'src/kernelbench/eval.py',
  commit: '0d1222636478e6c238dc9886b6ba4be975b22efe',
};
const asks = Array.from({ length: TRIALS }, () => ({
  wanted: { m: N, k: N, n: N },
  fill: normal,
  before: 'zeros' as const,
}));

/** KernelBench's test of square matrix multiplication. */
export const kernelBench: Grader = {
  name: 'kernel-bench',
  what: 'KernelBench, level 1, problem 1: one square, five random trials, allclose with one tolerance for both',
  source: 'KernelBench, src/kernelbench/eval.py',
  cites: [
    { ...EVAL, line: 95, says: 'atol = rtol = 1e-4 for float32' },
    { ...EVAL, line: 98, says: 'atol = rtol = 1e-2 for float16 and bfloat16' },
    {
      repository: 'alexghergh/KernelBench',
      file: 'KernelBench/level1/1_Square_matrix_multiplication_.py',
      line: 24,
      commit: '0c8810e37a2ba3d5422a723e7a255d4aea7eaeaa',
      says: 'N = 2048 and torch.randn, three lines below; a copy, since the file of the project is not at hand (later ones have 4096 and torch.rand)',
    },
  ],
  asked:
    'One shape, 2048×2048×2048, five times with other normal numbers, as its scripts run it; each problem has one shape.',
  blind: [
    'every shape but one',
    'transposes, layouts, batches, factors',
    'errors below 1e-4, of 16 bits below 1e-2',
  ],
  asks: () => asks,
  reference: 'same',
  rounds: true,
  gaps: 0,
  guards: false,
  passes: (compared) => {
    const tolerance = compared.format.precision <= 11 ? 1e-2 : 1e-4;
    return allclose(tolerance, tolerance)(compared);
  },
};
