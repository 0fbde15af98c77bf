import type { Step } from '../../plan/plan.ts';
import { ALL_LEVELS, FAST_LEVELS, type Fault, faultsIn, laddersIn } from './fault.ts';

/** Faults at the borders of blocks, tiles and matrices. */
export const edgeFaults: readonly Fault[] = [
  ...faultsIn('edges', 'classical:naive', ALL_LEVELS, {
    'guard-off-by-one': {
      what: 'the bounds check lets column n through, which is the first column of the next row',
      pointsAt: /column/,
      edits: [['|| j >= params.n)', '|| j > params.n)']],
    },
    'unwritten-last-row': {
      what: 'the last row of every block is left out',
      pointsAt: /never written.*row/,
      edits: [['i >= params.endRow', 'i + 1u >= params.endRow']],
    },
    'last-workgroup-forgotten': {
      what: 'the number of workgroups is rounded down instead of up',
      pointsAt: /never written/,
      edits: [['|| j >= params.n)', '|| j >= min(params.n, max(8u, params.n / 8u * 8u)))']],
    },
    'whole-tiles-wrong': {
      what: 'the variant for sizes that the tile divides reads column 1 of every tile for column 0',
      pointsAt: /column|tile/,
      edits: [
        [
          /(if \(i >= params\.endRow\) \{ return; \}\n {2}var sum[\s\S]*)y\[p \* params\.n \+ j\]/,
          '$1y[p * params.n + select(j, j + 1u, j % 8u == 0u)]',
        ],
      ],
    },
    'vector-path': {
      what: 'a product with a single column forgets the last term of k',
      pointsAt: /entries|column/,
      edits: [['p < params.k;', 'p < params.k - u32(params.n == 1u);']],
    },
  }),
  ...faultsIn('edges', 'classical:tiled', ALL_LEVELS, {
    'unwritten-last-column': {
      what: 'the last column of every block that no tile divides is left out',
      pointsAt: /never written/,
      edits: [['&& j < params.n) { finish', '&& j + 1u < params.n) { finish']],
    },
    'padding-not-zero': {
      what: 'the padding of blocks holds ones instead of zeros',
      pointsAt: /all \d+×\d+ entries|everything|only where/,
      edits: [
        [
          /sum = fma\((xs\[.*?\]), (ys\[.*?\]), sum\);/,
          'sum = fma($1, $2, sum) + select(0.0, 1.0, $1 == 0.0 && $2 == 0.0);',
        ],
      ],
    },
  }),
  ...faultsIn('edges', 'classical:register', ALL_LEVELS, {
    'overlapping-blocks': {
      what: 'blocks of rows begin one row too early, so the last rows are never reached',
      pointsAt: /never written/,
      edits: [[/id\.y \* (\d+)u;/, 'id.y * ($1u - 1u);']],
    },
  }),
  ...faultsIn('edges', 'strassen:naive', FAST_LEVELS, {
    'peel-core-skipped': {
      what: 'the terms of k that peeling cuts off are never added',
      pointsAt: /core|quadrants?|everything but|last (term|\d terms) of k|only where/,
      steps: (all) => all.filter((one) => fixUpOf(one) !== 'core'),
    },
  }),
  ...faultsIn('edges', 'strassen:tiled', FAST_LEVELS, {
    'peel-right-skipped': {
      what: 'the columns of C that peeling cuts off are never computed',
      pointsAt: /never written/,
      steps: (all) => all.filter((one) => fixUpOf(one) !== 'right'),
    },
  }),
  ...faultsIn('edges', 'winograd:naive', FAST_LEVELS, {
    'peel-bottom-skipped': {
      what: 'the rows of C that peeling cuts off are never computed',
      pointsAt: /never written.*row/,
      steps: (all) => all.filter((one) => fixUpOf(one) !== 'bottom'),
    },
  }),
  ...faultsIn('edges', 'winograd:tiled', FAST_LEVELS, {
    'peel-core-twice': {
      what: 'the terms of k that peeling cuts off are added twice',
      pointsAt: /core|quadrants?|everything but|only where/,
      steps: (all) => all.flatMap((one) => (fixUpOf(one) === 'core' ? [one, one] : [one])),
    },
  }),
  ...faultsIn('edges', 'winograd:register', FAST_LEVELS, {
    'peel-one-column': {
      what: 'the product for columns that peeling cuts off stops one row of B early',
      pointsAt: /column|fringe/,
      steps: (all) =>
        all.map((one) =>
          one.kind === 'multiply' && fixUpOf(one) === 'right'
            ? { ...one, shape: { ...one.shape, k: one.shape.k - 1 } }
            : one,
        ),
    },
  }),
];

/** Returns the peeling product that a step is; undefined for other steps. */
function fixUpOf(step: Step): 'core' | 'right' | 'bottom' | undefined {
  const { row, col } = step.slots[0].window ?? {};
  if (row === undefined || col === undefined) return undefined;
  return row > 0 ? 'bottom' : col > 0 ? 'right' : 'core';
}

/** Faults by the size of the error in the last entry. */
export const edgeLadders: readonly Fault[] = laddersIn('edges', 'classical:naive', [0], {
  'last-entry': {
    what: 'the last entry of C is too large by ‹2^-#› of itself',
    sizes: [4, 10, 16, 20, 22, 23],
    plant: (bits) => ({
      edits: [
        [
          'finish(i * params.n + j, sum);',
          `finish(i * params.n + j, sum * select(1.0, 1.0 + 0x1p-${bits}, i + 1u == params.m && j + 1u == params.n));`,
        ],
      ],
    }),
  },
});
