import type { GraderProduct, GraderRequest, MatrixStorageSpec } from './ask.ts';
import { nmse } from './comparisons.ts';
import { uniform } from './fills.ts';
import type { Grader } from './grader.ts';

/** ggml multiplies rows of one matrix by rows of the other, so the second factor is stored transposed. */
const b: MatrixStorageSpec = { op: 't' };
const OPS = {
  repository: 'ggml-org/llama.cpp',
  file: 'tests/test-backend-ops.cpp',
  commit: '0054f92869492a7d2784ea9bc920916db8cd3301',
};

/** Takes m, n and k in MUL_MAT's order, and the size of the batch. */
const of = (m: number, n: number, k: number, batch = 1, shared = false): GraderProduct => ({
  ...{ m, n, k, batch },
  b,
  ...(shared ? { a: { shared } } : {}),
});

const few = [1, 16].flatMap((n) =>
  [256, 4].flatMap((k) => [
    of(16, n, k),
    of(16, n, k, 2, true),
    of(16, n, k, 3),
    of(16, n, k, 6),
    of(16, n, k, 12),
  ]),
);
const permuted = [1, 4, 8, 16].map((n) => of(16, n, 256, 6));
const long = [1, 8, 16].map((n) => of(16, n, 1024, 6));
const vectors = [1, 2, 4, 8].flatMap((batch) =>
  [0, 1].flatMap((more) =>
    [0, 1].flatMap((k) => [of(1056 + more, 1, 128 + k, batch), of(128 + more, 1, 1056 + k, batch)]),
  ),
);
const others = [
  ...[
    of(64, 2, 128, 8),
    of(83, 2, 128, 8),
    of(64, 2, 64, 8),
    of(83, 2, 64, 8),
    of(64, 45, 128, 8),
    of(128, 45, 64, 8),
  ],
  ...[of(1056, 1, 193), of(1056, 1, 67), of(64, 77, 77, 12), of(1, 64, 256)],
  { ...of(16, 32, 32), a: { pad: 32 }, b: { ...b, pad: 32 } },
  of(16, 8, 256, 1536),
];
const asks: readonly GraderRequest[] = [...few, ...permuted, ...long, ...others, ...vectors].map(
  (wanted) => ({
    wanted,
    fill: uniform(-1, 1),
    before: 'data',
  }),
);

/** llama.cpp's test of MUL_MAT. */
export const llamaCpp: Grader = {
  name: 'llama-cpp',
  what: "llama.cpp's test-backend-ops of MUL_MAT: the normalised mean squared error is at most 5e-4",
  source: 'llama.cpp, tests/test-backend-ops.cpp',
  cites: [
    {
      ...OPS,
      line: 271,
      says: 'nmse: the sum of squared errors by that of squared results; max_nmse_err of struct test_mul_mat is 5e-4, and the shapes are those of make_test_cases_eval, both further down',
    },
    { ...OPS, line: 54, says: 'init_tensor_uniform: all tensors, the result too, uniform in [−1, 1]' },
  ],
  asked:
    'Its shapes of floating-point types, a batch over two dimensions as one: 16×{1, 16}×{4, 256} alone and in batches, sixteen vectors near 1056 and 128, some others; the second factor is transposed.',
  blind: [
    'an error of a few entries among many',
    'errors below a fiftieth',
    'alpha and beta',
    'both dimensions beyond 128',
  ],
  asks: () => asks,
  reference: 'binary64',
  rounds: false,
  gaps: 0,
  guards: false,
  passes: nmse(5e-4),
};
