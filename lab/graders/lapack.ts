import type { GraderRequest } from './ask.ts';
import { ratio } from './comparisons.ts';
import type { Fill } from './fills.ts';
import type { Grader } from './grader.ts';

const TESTING = { repository: 'Reference-LAPACK/lapack', commit: 'v3.12.1' };
const sizes = [0, 1, 2, 3, 5, 9];
const factors = [0, 1, 0.7].flatMap((alpha) => [0, 1, 1.3].map((beta) => ({ alpha, beta })));
const ops = ['n', 't', 't'] as const;

/** (i − 500)/1001 for i from 1 to 999. */
const fill: Fill = (_, random) => () => (random.int(1, 999) - 500) / 1001;

const asks: readonly GraderRequest[] = sizes.flatMap((m) =>
  sizes.flatMap((n) =>
    sizes.flatMap((k) =>
      ops.flatMap((opA) =>
        ops.flatMap((opB) =>
          factors.map(
            (factor): GraderRequest => ({
              wanted: {
                ...{ m, k, n },
                ...factor,
                a: { op: opA, order: 'column', pad: 1 },
                b: { op: opB, order: 'column', pad: 1 },
                c: { order: 'column', pad: 1 },
              },
              fill,
              before: 'data',
            }),
          ),
        ),
      ),
    ),
  ),
);

/** The tester of level 3 BLAS in LAPACK. */
export const lapack: Grader = {
  name: 'lapack',
  what: 'The level 3 BLAS testers of LAPACK (xBLAT3): |error| < 16·eps·(|alpha||A||B| + |beta||C|), memory around compared',
  source: 'LAPACK 3.12.1, BLAS/TESTING',
  cites: [
    { ...TESTING, file: 'BLAS/TESTING/dblat3.in', line: 10, says: 'sizes 0, 1, 2, 3, 5, 9 of m, n and k' },
    {
      ...TESTING,
      file: 'BLAS/TESTING/dblat3.in',
      line: 12,
      says: 'alpha 0, 1, 0.7; beta 0, 1, 1.3 two lines below',
    },
    { ...TESTING, file: 'BLAS/TESTING/dblat3.in', line: 8, says: 'a threshold of 16' },
    {
      ...TESTING,
      file: 'BLAS/TESTING/dblat3.f',
      line: 2665,
      says: 'the ratio of an error to eps and its sizes',
    },
    {
      ...TESTING,
      file: 'BLAS/TESTING/dblat3.f',
      line: 584,
      says: 'operands and what lies beside C compared whole',
    },
  ],
  asked:
    'All 17,496 calls: every op, size, alpha and beta, leading dimensions one above the minimum, column-major, in place.',
  blind: [
    'faults beyond 9 rows, terms or columns',
    'batches',
    'NaN, infinities, numbers beyond 1',
    'repetition',
  ],
  asks: () => asks,
  reference: 'same',
  rounds: false,
  gaps: -1e10,
  guards: true,
  passes: ratio(16),
};
