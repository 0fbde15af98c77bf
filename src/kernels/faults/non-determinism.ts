import { ALL_LEVELS, everyNth, type Fault, faultsIn, laddersIn, type ShaderEdit } from './fault.ts';

const TERM = 'fma(x[i * params.k + p], y[p * params.n + j], sum)';

/** Edits that add from the last term to the first. */
const BACKWARDS: readonly ShaderEdit[] = [
  ['x[i * params.k + p]', 'x[i * params.k + (params.k - 1u - p)]'],
  ['y[p * params.n + j]', 'y[(params.k - 1u - p) * params.n + j]'],
];

/** Edits that add the even terms, then the odd ones. */
const EVEN_FIRST: readonly ShaderEdit[] = [
  [
    `sum = ${TERM};`,
    `let half = (params.k + 1u) / 2u;
    let q = select(2u * p, 2u * (p - half) + 1u, p >= half);
    sum = fma(x[i * params.k + q], y[q * params.n + j], sum);`,
  ],
];

const DIFFERS = /when the same product ran again/;

/** Faults that give different bits for the same product. */
export const nonDeterminismFaults: readonly Fault[] = [
  ...faultsIn('non-determinism', 'classical:naive', ALL_LEVELS, {
    'order-by-run': {
      what: 'every second product is summed backwards, as if by the first worker to arrive',
      pointsAt: DIFFERS,
      meets: everyNth(2),
      edits: BACKWARDS,
    },
  }),
  ...faultsIn('non-determinism', 'strassen:naive', ALL_LEVELS, {
    'split-by-run': {
      what: 'every second product adds the even terms first, as if k were split over two workers',
      pointsAt: DIFFERS,
      meets: everyNth(2),
      edits: EVEN_FIRST,
    },
  }),
  ...faultsIn('non-determinism', 'classical:naive', [0], {
    'uninitialised-accumulator': {
      what: 'the sum starts with the old contents of C',
      pointsAt: /never written|NaN/,
      edits: [['var sum = 0.0;', 'var sum = s0[i * params.n + j];']],
    },
  }),
  ...faultsIn('non-determinism', 'classical:tiled', [0], {
    'uninitialised-tile': {
      what: 'the sum of a tile starts with the old contents of C in rows of an odd index',
      pointsAt: /row|never written|NaN/,
      edits: [['var sum = 0.0;', 'var sum = select(0.0, s0[i * params.n + j], (i & 1u) == 1u);']],
    },
  }),
  ...faultsIn('non-determinism', 'winograd:naive', ALL_LEVELS, {
    'entry-by-run': {
      what: 'every second product loses the last term in its last entry',
      pointsAt: /single entry|when the same product ran again|\d+ of \d+ entries/,
      meets: everyNth(2),
      edits: [['p < params.k;', 'p < params.k - select(0u, 1u, i + 1u == params.m && j + 1u == params.n);']],
    },
  }),
];

/** Faults by how rarely a product differs. */
export const nonDeterminismLadders: readonly Fault[] = laddersIn(
  'non-determinism',
  'classical:naive',
  ALL_LEVELS,
  {
    'other-order': {
      what: 'one product in ‹#› is summed backwards',
      sizes: [2, 4, 8, 16, 32, 64],
      plant: (every) => ({ meets: everyNth(every), edits: BACKWARDS }),
    },
  },
);
