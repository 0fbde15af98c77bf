import type { Step } from '../../plan/plan.ts';
import { ALL_LEVELS, FAST_LEVELS, type Fault, faultsIn, laddersIn } from './fault.ts';

const EVERYWHERE = /all \d+×\d+ entries/;

/** Faults in the terms of a leaf's sums: missing, twice, or from the wrong place. */
export const indexingFaults: readonly Fault[] = [
  ...faultsIn('indexing', 'classical:naive', ALL_LEVELS, {
    'dropped-last-k': {
      what: 'the loop over k stops one term early',
      pointsAt: /last term of k is missing/,
      edits: [['p < params.k;', 'p + 1u < params.k;']],
    },
    'first-k-skipped': {
      what: 'the loop over k starts at the second term',
      pointsAt: /first term of k is missing/,
      edits: [['for (var p = 0u;', 'for (var p = 1u;']],
    },
    'one-k-too-many': {
      what: 'the loop over k reads one term beyond its end',
      pointsAt: /all \d+×\d+ entries|everything but/,
      edits: [['p < params.k;', 'p <= params.k;']],
    },
    'first-k-twice': {
      what: 'the sum starts with the first product, and the loop adds it again',
      pointsAt: /term 0 of k is counted twice/,
      edits: [['var sum = 0.0;', 'var sum = x[i * params.k] * y[j];']],
    },
    'row-below': {
      what: 'row i of A is read one row further down',
      pointsAt: /all \d+×\d+ entries|last row|everything but/,
      edits: [['x[i * params.k + p]', 'x[(i + 1u) * params.k + p]']],
    },
    'same-operand-twice': {
      what: 'A is multiplied by A instead of B',
      pointsAt: EVERYWHERE,
      edits: [['y[p * params.n + j]', 'select(y[0], x[p * params.n + j], params.k > 0u)']],
    },
  }),
  ...faultsIn('indexing', 'classical:register', ALL_LEVELS, {
    'dropped-k-tail': {
      what: 'the terms of k that no vec4 holds are forgotten',
      pointsAt: /last (term of k is|\d terms of k are) missing/,
      edits: [['for (var p = whole; p < params.k;', 'for (var p = whole; p < whole;']],
    },
    'column-beside': {
      what: 'column j of B is read one column further right',
      pointsAt: EVERYWHERE,
      edits: [
        {
          either: [
            [/params\.n \+ min\(j \+ 1u,/, 'params.n + min(j + 2u,'],
            [/\+ j\) \/ 4u\]/, '+ (j ^ 4u)) / 4u]'],
          ],
        },
      ],
    },
    'register-row-reused': {
      what: 'the first of four terms of the second register row is taken from the first row of A',
      pointsAt: /row/,
      edits: [['vec4<f32>(x1.x)', 'vec4<f32>(x0.x)']],
    },
    'fourth-term-lost': {
      what: 'the fourth of four terms is not added in the first register row',
      pointsAt: /row/,
      edits: [[/c0_0 = fma\(vec4<f32>\(x0\.w\), .*\);/, 'c0_0 = c0_0 + vec4<f32>(x0.w) * 0.0;']],
    },
  }),
  ...faultsIn('indexing', 'classical:tiled', ALL_LEVELS, {
    'one-tile-off': {
      what: 'the tiles of B are read one tile further down k',
      pointsAt: EVERYWHERE,
      edits: [['y[(p + local.y) *', 'y[(p + local.y + 16u) *']],
    },
    'first-tile-only': {
      what: 'only the first tile is correct, which a test of a small corner would miss',
      pointsAt: /but (the first .*tile|where the first 16 rows .* and the first 16 columns)/,
      edits: [
        [
          'finish(i * params.n + j, sum);',
          'finish(i * params.n + j, select(sum, sum + 1.0, max(id.x, id.y) >= 16u));',
        ],
      ],
    },
    'last-tile-not-cleared': {
      what: 'the last tile of k is summed to its full depth, with values left by the previous tile',
      pointsAt: /entries|everything/,
      edits: [[/let depth = min\((\d+u), params\.k - p\);/, 'let depth = $1;']],
    },
    'columns-swapped-in-tile': {
      what: 'columns 2 and 3 of every tile of B change places',
      pointsAt: /column/,
      edits: [
        [
          /(ys\[q \* \d+u \+ )local\.x\]/,
          '$1select(local.x, local.x ^ 1u, (local.x & 2u) == 2u && local.x < 4u)]',
        ],
      ],
    },
  }),
];

/** Faults by the length of k and the size of A that they need. */
export const indexingLadders: readonly Fault[] = laddersIn('indexing', 'classical:register', [0], {
  'inner-index': {
    what: 'the index over k starts again after ‹# terms›',
    sizes: [16, 64, 128, 192, 256, 4096],
    plant: (terms) => ({ edits: [[/i \* params\.k \+ p/, `i * params.k + (p % ${terms}u)`]] }),
  },
  'offset-in-a': {
    what: 'places in A are counted in ‹# bits›',
    sizes: [8, 10, 12, 14, 15, 16],
    plant: (bits) => ({ edits: [[/i \* params\.k \+ p/, `((i * params.k + p) & ${2 ** bits - 1}u)`]] }),
  },
});

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
