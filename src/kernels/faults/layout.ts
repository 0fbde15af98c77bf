import { ALIGNMENT } from '../../plan/layout.ts';
import { ALL_LEVELS, type Fault, faultsIn, laddersIn } from './fault.ts';

const EVERYWHERE = /all \d+×\d+ entries|everything but/;
const [A, B] = ['x[i * params.k + p]', 'y[p * params.n + j]'];
const STORE = 'finish(i * params.n + j, sum);';

/** Faults in the assumed layout of matrices. */
export const layoutFaults: readonly Fault[] = [
  ...faultsIn('layout', 'classical:naive', ALL_LEVELS, {
    'transposed-b': {
      what: 'B is read as if it were stored transposed',
      pointsAt: /B was read as its transpose/,
      edits: [[B, 'y[j * params.k + p]']],
    },
    'transposed-a': {
      what: 'A is read as if it were stored transposed',
      pointsAt: /A was read as its transpose/,
      edits: [[A, 'x[p * params.m + i]']],
    },
    'transposed-c': {
      what: 'C is written transposed',
      pointsAt: /C was written as its transpose/,
      edits: [[STORE, 'finish(j * params.m + i, sum);']],
    },
    'column-major': {
      what: 'A, B and C are all taken to be column-major',
      pointsAt: /row-major and column-major order were mixed up for A, B and C/,
      edits: [
        [A, 'x[p * params.m + i]'],
        [B, 'y[j * params.k + p]'],
        [STORE, 'finish(j * params.m + i, sum);'],
      ],
    },
    'leading-dimension-of-a': {
      what: 'the rows of A are assumed n apart, as in C',
      pointsAt: /the leading dimension of A was taken as n = \d+/,
      edits: [[A, 'x[i * params.n + p]']],
    },
    'square-only': {
      what: 'if C has more rows than columns, rows from n on repeat row n - 1 of A',
      pointsAt: /rows/,
      edits: [[A, 'x[min(i, max(params.n, 1u) - 1u) * params.k + p]']],
    },
  }),
  ...faultsIn('layout', 'classical:tiled', ALL_LEVELS, {
    'leading-dimension-of-b': {
      what: 'the rows of B are assumed k apart, as in A',
      pointsAt: EVERYWHERE,
      edits: [['y[(p + local.y) * params.n + j]', 'y[(p + local.y) * params.k + j]']],
    },
    'leading-dimension-of-c': {
      what: 'the rows of C are assumed m apart',
      pointsAt: /never written|everything but/,
      edits: [[STORE, 'finish(i * params.m + j, sum);']],
    },
    'tile-transposed': {
      what: 'the tiles of A are stored transposed in workgroup memory',
      pointsAt: EVERYWHERE,
      edits: [
        [/let at = local\.y \* (\d+)u \+ local\.x;/, '$&\n  let across = local.x * $1u + local.y;'],
        ['xs[at] =', 'xs[across] ='],
      ],
    },
  }),
  ...faultsIn('layout', 'classical:register', [0], {
    'shifted-binding': {
      what: 'the result is bound one alignment unit too far',
      pointsAt: /outside C/,
      steps: (all) =>
        all.map((step) => ({
          ...step,
          slots: step.slots.map(({ block, ...slot }) => ({
            ...slot,
            block: { ...block, offset: block.offset + ALIGNMENT },
          })),
        })),
    },
  }),
  ...faultsIn('layout', 'classical:tiled', [0], {
    'operands-exchanged': {
      what: 'the bindings of A and B are exchanged if both have the same size',
      pointsAt: /A and B were swapped/,
      steps: (all) =>
        all.map((step) =>
          step.kind === 'multiply' && step.x[0].block.layout.size === step.y[0].block.layout.size
            ? { ...step, x: step.y, y: step.x }
            : step,
        ),
    },
  }),
];

/** Faults by the size of the gap between rows. */
export const layoutLadders: readonly Fault[] = laddersIn('layout', 'classical:naive', [0], {
  'rounded-leading-dimension': {
    what: 'the rows of B are assumed apart by n rounded up to a multiple of ‹#›',
    sizes: [64, 16, 4, 2],
    plant: (unit) => ({ edits: [[B, `y[p * ((params.n + ${unit - 1}u) / ${unit}u * ${unit}u) + j]`]] }),
  },
});
