import type { Dispatch } from '../../gpu/dispatch.ts';
import { ALL_LEVELS, dispatched, edited, FAST_LEVELS, type Fault, type Ladder } from './fault.ts';

/** Faults at the borders of blocks, tiles and matrices. */
export const edgeFaults: readonly Fault[] = (
  [
    {
      name: 'guard-off-by-one',
      what: 'the bounds check lets column n through, which is the first column of the next row',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: /column/,
      tampering: edited(['|| j >= params.n)', '|| j > params.n)']),
    },
    {
      name: 'unwritten-last-row',
      what: 'the last row of every block is left out',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: /never written.*row/,
      tampering: edited(['i >= params.endRow', 'i + 1u >= params.endRow']),
    },
    {
      name: 'unwritten-last-column',
      what: 'the last column of every block that no tile divides is left out',
      kernel: 'classical:tiled',
      levels: ALL_LEVELS,
      pointsAt: /never written/,
      tampering: edited(['&& j < params.n) { finish', '&& j + 1u < params.n) { finish']),
    },
    {
      name: 'last-workgroup-forgotten',
      what: 'the number of workgroups is rounded down instead of up',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: /never written/,
      tampering: dispatched((all) =>
        all.map((one) => {
          const [, , n] = one.params;
          const across = Math.max(1, Math.floor(n / 8));
          return isLeaf(one) ? { ...one, workgroups: [across, one.workgroups[1]] as const } : one;
        }),
      ),
    },
    {
      name: 'overlapping-blocks',
      what: 'blocks of rows begin one row too early, so the last rows are never reached',
      kernel: 'classical:register',
      levels: ALL_LEVELS,
      pointsAt: /never written/,
      tampering: edited([/id\.y \* (\d+)u;/, 'id.y * ($1u - 1u);']),
    },
    {
      name: 'padding-not-zero',
      what: 'the padding of blocks holds ones where it should hold zeros',
      kernel: 'classical:tiled',
      levels: ALL_LEVELS,
      pointsAt: /all \d+×\d+ entries|everything|only where/,
      tampering: edited([
        /sum = fma\((xs\[.*?\]), (ys\[.*?\]), sum\);/,
        'sum = fma($1, $2, sum) + select(0.0, 1.0, $1 == 0.0 && $2 == 0.0);',
      ]),
    },
    {
      name: 'whole-tiles-wrong',
      what: 'the variant for sizes that the tile divides reads column 1 of every tile for column 0',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: /column|tile/,
      tampering: edited([
        /(if \(i >= params\.endRow\) \{ return; \}\n {2}var sum[\s\S]*)y\[p \* params\.n \+ j\]/,
        '$1y[p * params.n + select(j, j + 1u, j % 8u == 0u)]',
      ]),
    },
    {
      name: 'vector-path',
      what: 'a product with a single column forgets the last term of k',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: /entries|column/,
      tampering: edited(['p < params.k;', 'p < params.k - u32(params.n == 1u);']),
    },
    {
      name: 'peel-core-skipped',
      what: 'the terms of k that peeling cuts off are never added',
      kernel: 'strassen:naive',
      levels: FAST_LEVELS,
      pointsAt: /core|quadrants?|everything but|last (term|\d terms) of k|only where/,
      tampering: dispatched((all) => all.filter((one) => !isCore(one))),
    },
    {
      name: 'peel-right-skipped',
      what: 'the columns of C that peeling cuts off are never computed',
      kernel: 'strassen:tiled',
      levels: FAST_LEVELS,
      pointsAt: /never written/,
      tampering: dispatched((all) => all.filter((one) => !isRight(one))),
    },
    {
      name: 'peel-bottom-skipped',
      what: 'the rows of C that peeling cuts off are never computed',
      kernel: 'winograd:naive',
      levels: FAST_LEVELS,
      pointsAt: /never written.*row/,
      tampering: dispatched((all) => all.filter((one) => !isBottom(one))),
    },
    {
      name: 'peel-core-twice',
      what: 'the terms of k that peeling cuts off are added twice',
      kernel: 'winograd:tiled',
      levels: FAST_LEVELS,
      pointsAt: /core|quadrants?|everything but|only where/,
      tampering: dispatched((all) => all.flatMap((one) => (isCore(one) ? [one, one] : [one]))),
    },
    {
      name: 'peel-one-column',
      what: 'of the columns that peeling cuts off, the product stops one row of B early',
      kernel: 'winograd:register',
      levels: FAST_LEVELS,
      pointsAt: /column|fringe/,
      tampering: dispatched((all) =>
        all.map((one) =>
          isRight(one) ? { ...one, params: one.params.map((word, at) => (at === 1 ? word - 1 : word)) } : one,
        ),
      ),
    },
  ] satisfies Omit<Fault, 'class'>[]
).map((fault) => ({ ...fault, class: 'edges' }));

/** Leaf products have shape and rows as parameters, block sums two words, peeling's products the layouts. */
const isLeaf = ({ layouts, params }: Dispatch) => !layouts && params.length > 2;

/** The first row and column of the window that a peeling product writes: after shape and width, x, y and the slot. */
const WRITES = 12;

const isCore = ({ layouts, params }: Dispatch) => layouts && params[WRITES] === 0 && params[WRITES + 1] === 0;
const isRight = ({ layouts, params }: Dispatch) => layouts && params[WRITES + 1] > 0;
const isBottom = ({ layouts, params }: Dispatch) => layouts && params[WRITES] > 0;

/** How little of the last entry must be wrong to be noticed. */
export const edgeLadders: readonly Ladder[] = [
  {
    name: 'last-entry',
    class: 'edges',
    what: 'the last entry of C is too large by … of itself',
    kernel: 'classical:naive',
    levels: [0],
    rungs: [4, 10, 16, 20, 22, 23].map((bits) => ({
      size: `2^-${bits}`,
      tampering: edited([
        'finish(i * params.n + j, sum);',
        `finish(i * params.n + j, sum * select(1.0, 1.0 + 0x1p-${bits}, i + 1u == params.m && j + 1u == params.n));`,
      ]),
    })),
  },
];
