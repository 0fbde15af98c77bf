import { ALIGNMENT } from '../../plan/layout.ts';
import { ALL_LEVELS, everyNth, type Fault, faultsIn, laddersIn } from './fault.ts';

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

/** Faults that show only beside other rows, or other products. */
export const batchFaults: readonly Fault[] = [
  ...faultsIn('batch', 'classical:naive', [0], {
    'stale-sizes': {
      what: 'the sizes of the first product are kept for later ones',
      pointsAt: /never written|entries/,
      meets: (before) => before > 0,
      dispatches: (all, first) =>
        all.map((one) => ({
          ...one,
          params: first.find(({ shader }) => shader === one.shader)?.params ?? one.params,
        })),
    },
    'accumulates-into-c': {
      what: 'the product is added to the old contents of C',
      pointsAt: /never written|NaN/,
      edits: [['s0[e] = r0;', 's0[e] = s0[e] + r0;']],
    },
    'operand-overwritten': {
      what: 'the kernel clears the first column of A while it works',
      pointsAt: /operands were overwritten/,
      edits: [['finish(i * params.n + j, sum);', 'finish(i * params.n + j, sum); x[i * params.k] = 0.0;']],
    },
    'second-batch-of-rows': {
      what: 'row i of C is computed from row i mod 64 of A',
      pointsAt: /row/,
      edits: [['x[i * params.k + p]', 'x[(i % 64u) * params.k + p]']],
    },
    'row-beside-row': {
      what: 'a row that is not alone takes the first term of the row before it',
      pointsAt: /row/,
      edits: [['x[i * params.k + p]', 'x[select(i, i - 1u, p == 0u && i > 0u) * params.k + p]']],
    },
  }),
  ...faultsIn('batch', 'classical:tiled', ALL_LEVELS, {
    'later-products-shorter': {
      what: 'from the second product on, the last term of k is forgotten',
      pointsAt: /last term of k is missing|entries/,
      meets: (before) => before > 0,
      edits: [
        ['p < params.k;', 'p + 1u < params.k;'],
        ['params.k - p)', 'params.k - 1u - p)'],
      ],
    },
  }),
  ...faultsIn('batch', 'classical:naive', ALL_LEVELS, {
    'odd-row-out': {
      what: 'rows beyond the last multiple of four lose the last term of k',
      pointsAt: /row|last term of k is missing/,
      edits: [['p < params.k;', 'p < params.k - u32(i >= params.m - params.m % 4u);']],
    },
  }),
];

/** Faults by the number of rows that must come together, and by frequency. */
export const batchLadders: readonly Fault[] = [
  ...laddersIn('batch', 'classical:register', [0], {
    'rows-together': {
      what: 'row i of C is computed from row i mod ‹#› of A',
      sizes: [16, 32, 64, 128, 192, 256, 512],
      plant: (rows) => ({ edits: [[/i \* params\.k \+ p/, `(i % ${rows}u) * params.k + p`]] }),
    },
  }),
  ...laddersIn('batch', 'classical:naive', ALL_LEVELS, {
    'wrong-product': {
      what: 'one product in ‹#› loses its last term',
      sizes: [2, 8, 16, 32, 64],
      plant: (every) => ({ meets: everyNth(every), edits: [['p < params.k;', 'p + 1u < params.k;']] }),
    },
  }),
];
