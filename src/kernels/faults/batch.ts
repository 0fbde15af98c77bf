import { ALL_LEVELS, everyNth, type Fault, faultsIn, laddersIn } from './fault.ts';

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
