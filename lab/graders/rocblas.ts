import type { GraderProduct, GraderRequest } from './ask.ts';
import { equal } from './comparisons.ts';
import { alternating } from './fills.ts';
import type { Grader, TestedKernel } from './grader.ts';

const CLIENTS = { repository: 'ROCm/rocBLAS', commit: 'rocm-6.4.4' };
const YAML = { ...CLIENTS, file: 'clients/gtest/gemm_gtest.yaml' };

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const all = (ms: readonly number[], ns: readonly number[], ks: readonly number[]): GraderProduct[] =>
  ms.flatMap((m) => ns.flatMap((n) => ks.map((k) => ({ m, k, n }))));

/** Matrix sizes of the groups gemm_small, gemm_1_8 and gemm_64_1_4_5_8, in alternation; leading dimensions are given as pads. */
const shapes: readonly GraderProduct[] = [
  ...[
    { m: 0, k: 8, n: 8 },
    { m: 8, k: 8, n: 0 },
    { m: 8, k: 0, n: 8 },
    { m: 9, k: 9, n: 1 },
    { m: 8, k: 1, n: 1 },
  ],
  { m: 1, k: 3, n: 2, a: { pad: 3 }, b: { pad: 2 }, c: { pad: 5 } },
  { m: 7, k: 15, n: 9, a: { pad: 10 }, b: { pad: 3 }, c: { pad: 12 } },
  ...range(9, 20).map((n) => ({ m: n, k: n, n })),
  ...all(range(1, 8), range(1, 8), range(1, 8)),
  ...all(range(63, 65), range(1, 4), range(5, 8)),
  ...all(range(5, 8), range(63, 65), range(1, 4)),
  ...all(range(1, 4), range(5, 8), range(63, 65)),
];
const ops = [
  ['n', 'n'],
  ['n', 't'],
  ['t', 'n'],
  ['t', 't'],
] as const;
const factors = [
  { alpha: 5, beta: 0 },
  { alpha: 0, beta: 3 },
  { alpha: 1, beta: 3 },
  { alpha: 1, beta: 1 },
];
const asksBy = new Map<boolean, readonly GraderRequest[]>();

function asksOf({ precision }: TestedKernel): readonly GraderRequest[] {
  const isNarrow = /^(f16|bf16)/.test(precision);
  const known = asksBy.get(isNarrow);
  if (known !== undefined) return known;
  // Whole numbers from 1 to 10; for 16-bit formats from −2 to 2.
  const fill = isNarrow ? alternating(-2, 2) : alternating(1, 10);
  const made = shapes.flatMap((shape) =>
    ops.flatMap(([a, b]) =>
      factors.map(
        (factor): GraderRequest => ({
          wanted: {
            ...{ ...shape, ...factor },
            a: { ...shape.a, op: a, order: 'column' },
            b: { ...shape.b, op: b, order: 'column' },
            c: { ...shape.c, order: 'column' },
          },
          fill,
          before: 'data',
        }),
      ),
    ),
  );
  asksBy.set(isNarrow, made);
  return made;
}

/** The quick tests of rocBLAS's client. */
export const rocblas: Grader = {
  name: 'rocblas',
  what: "rocBLAS's client, quick tests: small whole numbers, every entry equal to that of a host BLAS",
  source: 'rocBLAS 6.4.4, clients/gtest and clients/include',
  cites: [
    {
      ...YAML,
      line: 37,
      says: 'the sizes of gemm_small: 0 in each place, 1 to 20, three with larger leading dimensions',
    },
    { ...YAML, line: 187, says: 'alpha and beta 5, 0; 0, 3; 1, 3; 1, 1' },
    { ...YAML, line: 2890, says: 'gemm_1_8: all of 1 to 8 cubed, category quick' },
    {
      ...YAML,
      line: 3046,
      says: 'gemm_64_1_4_5_8 and its turns: 63 to 65 by 1 to 4 by 5 to 8, category quick',
    },
    {
      ...CLIENTS,
      file: 'clients/include/blas3/testing_gemm.hpp',
      line: 435,
      says: 'unit_check_general where data are whole numbers; near_check_general with k·eps where they are drawn as hpl (line 431), which no quick test of GEMM asks',
    },
  ],
  asked:
    'The groups of category quick for real types: 675 shapes with four pairs of ops and four of factors, column-major, in place.',
  blind: [
    'sizes beyond 65',
    'long sums',
    'rounding errors',
    'NaN and infinities',
    'batches, which have tests of their own',
  ],
  asks: asksOf,
  reference: 'same',
  rounds: false,
  gaps: 0,
  guards: false,
  passes: equal,
};
