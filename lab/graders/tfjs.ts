import type { GraderProduct, GraderRequest } from './ask.ts';
import { within } from './comparisons.ts';
import { counting, integers } from './fills.ts';
import type { Grader } from './grader.ts';

const CORE = { repository: '@tensorflow/tfjs-core', commit: '4.22.0' };
const t = { op: 't' } as const;

const shapes: readonly GraderProduct[] = [
  { m: 2, k: 3, n: 2 },
  { m: 8, k: 4, n: 8 },
  { m: 3, k: 2, n: 1, batch: 4, b: { shared: true } },
  { m: 2, k: 2, n: 3 },
  { m: 2, k: 3, n: 2, b: t },
  { m: 3, k: 2, n: 3, a: t },
  { m: 2, k: 3, n: 2, a: t, b: t },
  { m: 1, k: 2, n: 2 },
  { m: 2, k: 2, n: 1 },
  { m: 1, k: 2, n: 1, batch: 3 },
  { m: 1, k: 2, n: 1, batch: 3, a: t },
  { m: 1, k: 2, n: 1, batch: 3, b: t },
  { m: 2, k: 2, n: 1, batch: 3 },
  { m: 1, k: 2, n: 2, batch: 3 },
  { m: 2, k: 1, n: 2 },
];
const asks: readonly GraderRequest[] = [
  ...shapes.map((wanted): GraderRequest => ({ wanted, fill: counting(6), before: 'zeros' })),
  { wanted: { m: 3, k: 1, n: 3, batch: 4 }, fill: integers(0, 2), before: 'zeros', times: 2 },
  { wanted: { m: 2, k: 2, n: 1 }, fill: counting(4), before: 'zeros', special: [0, 1, Number.NaN] },
];

/** TensorFlow.js's tests of matMul. */
export const tfjs: Grader = {
  name: 'tfjs',
  what: "TensorFlow.js's tests of matMul: hand-written products of a few entries, |error| ≤ 0.001",
  source: '@tensorflow/tfjs-core 4.22.0, dist/test_util.js and dist/ops/mat_mul_test.js',
  cites: [
    { ...CORE, file: 'dist/test_util.js', line: 20, says: 'an epsilon of 1e-3, of float16 1e-1' },
    {
      ...CORE,
      file: 'dist/test_util.js',
      line: 108,
      says: 'areClose: |a − e| ≤ epsilon; both not finite passes',
    },
    { ...CORE, file: 'dist/ops/mat_mul_test.js', line: 28, says: 'the first of its products: 2×3 by 3×2' },
  ],
  asked:
    'Its products without gradients, from 2×3×2 to 8×4×8, with each transpose, batches of 3 and 4, one NaN; here of the numbers 1, 2, 3, …',
  blind: ['faults beyond 8 rows, terms or columns', 'layouts', 'factors'],
  asks: () => asks,
  reference: 'binary64',
  rounds: true,
  gaps: 0,
  guards: false,
  passes: (compared) => within(compared.format.precision <= 11 ? 1e-1 : 1e-3)(compared),
};
