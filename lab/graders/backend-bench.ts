import type { GraderProduct, GraderRequest } from './ask.ts';
import { allclose } from './comparisons.ts';
import { uniform } from './fills.ts';
import type { Grader } from './grader.ts';

const [S, M] = [5, 10];
const TORCH = { repository: 'pytorch/pytorch', commit: 'cf30153c4c131c8164ee7798e5022d810682e2cb' };
const SAMPLES = 'torch/testing/_internal/common_methods_invocations.py';

/** Samples of mm, bmm and addmm. */
const samples: readonly GraderProduct[] = [
  { m: S, k: M, n: S },
  { m: 0, k: S, n: M },
  { m: S, k: M, n: M, batch: M },
  ...[2, 3].map((m) => ({ m, k: m, n: 3, alpha: 0.6, beta: 0.2, apart: true })),
];

const asks: readonly GraderRequest[] = samples.map((wanted) => ({
  wanted,
  fill: uniform(-9, 9),
  before: 'zeros',
}));

/** BackendBench's correctness test of mm, bmm and addmm. */
export const backendBench: Grader = {
  name: 'backend-bench',
  what: "BackendBench's suite opinfo: every entry within 0.01 + 0.01·|expected|, on the samples of PyTorch's operators",
  source: 'BackendBench, BackendBench/eval.py and suite/opinfo.py',
  cites: [
    {
      repository: 'meta-pytorch/BackendBench',
      file: 'BackendBench/eval.py',
      line: 44,
      commit: '015f5cb135a8e04bd452c2a0c3799f87af6e7813',
      says: 'atol=1e-2 and rtol=1e-2, passed to torch.testing.assert_close with equal_nan=True, for every type',
    },
    { ...TORCH, file: SAMPLES, line: 1157, says: 'mm: 5×10 by 10×5, and 0×5 by 5×10' },
    { ...TORCH, file: SAMPLES, line: 1254, says: 'bmm: ten products of 5×10 by 10×10' },
    { ...TORCH, file: SAMPLES, line: 1175, says: 'addmm: 2×2 by 2×3 and 3×3 by 3×3, alpha 0.6, beta 0.2' },
  ],
  asked:
    'Five products of at most 10 rows, terms and columns, of entries between −9 and 9; once each, against the reference of the same type.',
  blind: ['faults beyond 10 rows, terms or columns', 'layouts', 'errors below a hundredth'],
  asks: () => asks,
  reference: 'same',
  rounds: true,
  gaps: 0,
  guards: false,
  passes: allclose(1e-2, 1e-2, true),
};
