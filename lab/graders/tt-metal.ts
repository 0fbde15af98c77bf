import type { GraderProduct, GraderRequest } from './ask.ts';
import { correlation } from './comparisons.ts';
import { type Fill, normal, uniform } from './fills.ts';
import type { Grader } from './grader.ts';

const TEST = {
  repository: 'tenstorrent/tt-metal',
  file: 'tests/ttnn/unit_tests/operations/test_matmul.py',
  commit: '02255a7037a52f58b5c2d36c96a327a82eacffb4',
};

const ask =
  (fill: Fill) =>
  (wanted: GraderProduct): GraderRequest => ({ wanted, fill, before: 'zeros' });
const rand = ask(uniform(0, 1));
const randn = ask(normal);

const tiny = [1, 3].flatMap((m) => [2, 4].flatMap((k) => [2, 4].map((n) => rand({ m, k, n }))));
const batches = [1, 9].flatMap((batch) =>
  [
    { m: 2, k: 4, n: 2 },
    { m: 4, k: 2, n: 4 },
    { m: 2, k: 2, n: 2 },
    { m: 4, k: 4, n: 4 },
  ].map((shape) => rand({ ...shape, batch })),
);
const systolic = [1, 8].flatMap((batch) =>
  [30, 31, 61, 63].flatMap((m) =>
    [1023, 2048].flatMap((k) => [1021, 2047].map((n) => randn({ m, k, n, batch, b: { shared: true } }))),
  ),
);
const large = [
  randn({ m: 1024, k: 1024, n: 1024 }),
  randn({ m: 1600, k: 256, n: 1024 }),
  randn({ m: 384, k: 64, n: 384, batch: 192 }),
  randn({ m: 384, k: 1024, n: 1024, batch: 8, b: { shared: true } }),
];
const asks = [...tiny, ...batches, ...large, ...systolic];

/** tt-metal's unit tests of matmul, with the default correlation of its helper. */
export const ttMetal: Grader = {
  name: 'tt-metal',
  what: "tt-metal's comp_pcc on the shapes of its test of matmul: the correlation is at least 0.99",
  source: 'tt-metal, tests/ttnn/unit_tests/operations/test_matmul.py and models/common/utility_functions.py',
  cites: [
    {
      ...TEST,
      line: 25,
      says: 'the first test: sizes 1, 3 by 2, 4 by 2, 4 of torch.rand; those below have batches, 1024 cubed, and 30 to 63 rows by 1023 to 2048 terms and columns of torch.randn',
    },
    {
      ...TEST,
      line: 39,
      says: 'assert_with_pcc; this file requires 0.997 to 0.9999 of each; its helper comp_pcc(golden, calculated, pcc=0.99) has the default used here',
    },
  ],
  asked:
    'The shapes of its unit test of matmul in their order, equal ones once: 24 tiny, 4 large and 32 of few rows; bfloat16 there, here as the kernel computes.',
  blind: [
    'an error of a few entries among many',
    'a wrong factor or an added constant',
    'alpha, beta and layouts',
  ],
  asks: () => asks,
  reference: 'binary64',
  rounds: false,
  gaps: 0,
  guards: false,
  passes: correlation(0.99),
};
