import { ALIGNMENT } from '../../plan/layout.ts';
import { ALL_LEVELS, dispatched, edited, type Fault, type Ladder } from './fault.ts';

const EVERYWHERE = /all \d+×\d+ entries|everything but/;
const [A, B] = ['x[i * params.k + p]', 'y[p * params.n + j]'];
const STORE = 'finish(i * params.n + j, sum);';

/** Faults in how matrices are thought to lie in memory. */
export const layoutFaults: readonly Fault[] = (
  [
    {
      name: 'transposed-b',
      what: 'B is read as if it were stored transposed',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: /transposed/,
      tampering: edited([B, 'y[j * params.k + p]']),
    },
    {
      name: 'transposed-a',
      what: 'A is read as if it were stored transposed',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: EVERYWHERE,
      tampering: edited([A, 'x[p * params.m + i]']),
    },
    {
      name: 'transposed-c',
      what: 'C is written transposed',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: /everything but|scattered|all \d+×\d+/,
      tampering: edited([STORE, 'finish(j * params.m + i, sum);']),
    },
    {
      name: 'column-major',
      what: 'A, B and C are all taken to be column-major',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: EVERYWHERE,
      tampering: edited(
        [A, 'x[p * params.m + i]'],
        [B, 'y[j * params.k + p]'],
        [STORE, 'finish(j * params.m + i, sum);'],
      ),
    },
    {
      name: 'leading-dimension-of-a',
      what: 'the rows of A are thought to be n apart, as those of C are',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: EVERYWHERE,
      tampering: edited([A, 'x[i * params.n + p]']),
    },
    {
      name: 'leading-dimension-of-b',
      what: 'the rows of B are thought to be k apart, as those of A are',
      kernel: 'classical:tiled',
      levels: ALL_LEVELS,
      pointsAt: EVERYWHERE,
      tampering: edited(['y[(p + local.y) * params.n + j]', 'y[(p + local.y) * params.k + j]']),
    },
    {
      name: 'leading-dimension-of-c',
      what: 'the rows of C are thought to be m apart',
      kernel: 'classical:tiled',
      levels: ALL_LEVELS,
      pointsAt: /never written|everything but/,
      tampering: edited([STORE, 'finish(i * params.m + j, sum);']),
    },
    {
      name: 'tile-transposed',
      what: 'the tiles of A are stored transposed in workgroup memory',
      kernel: 'classical:tiled',
      levels: ALL_LEVELS,
      pointsAt: EVERYWHERE,
      tampering: edited(
        [/let at = local\.y \* (\d+)u \+ local\.x;/, '$&\n  let across = local.x * $1u + local.y;'],
        ['xs[at] =', 'xs[across] ='],
      ),
    },
    {
      name: 'square-only',
      what: 'where C is higher than wide, rows from n on are taken from row n - 1 of A',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: /rows/,
      tampering: edited([A, 'x[min(i, max(params.n, 1u) - 1u) * params.k + p]']),
    },
    {
      name: 'shifted-binding',
      what: 'the result is bound one alignment unit too far',
      kernel: 'classical:register',
      levels: [0],
      pointsAt: /outside C/,
      tampering: dispatched((all) =>
        all.map((dispatch) => ({
          ...dispatch,
          blocks: dispatch.blocks.map((block) =>
            block.buffer === 'C' ? { ...block, offset: block.offset + ALIGNMENT } : block,
          ),
        })),
      ),
    },
    {
      name: 'operands-exchanged',
      what: 'the bindings of A and B are exchanged where both are of one size',
      kernel: 'classical:tiled',
      levels: [0],
      pointsAt: EVERYWHERE,
      tampering: dispatched((all) =>
        all.map((dispatch) => {
          const [x, y, ...slots] = dispatch.blocks;
          return x.layout.size === y.layout.size ? { ...dispatch, blocks: [y, x, ...slots] } : dispatch;
        }),
      ),
    },
  ] satisfies Omit<Fault, 'class'>[]
).map((fault) => ({ ...fault, class: 'layout' }));

/** How small a gap between rows is noticed. */
export const layoutLadders: readonly Ladder[] = [
  {
    name: 'rounded-leading-dimension',
    class: 'layout',
    what: 'the rows of B are thought to be apart by n rounded up to a multiple of …',
    kernel: 'classical:naive',
    levels: [0],
    rungs: [64, 16, 4, 2].map((unit) => ({
      size: `${unit}`,
      tampering: edited([B, `y[p * ((params.n + ${unit - 1}u) / ${unit}u * ${unit}u) + j]`]),
    })),
  },
];
