import type { Program } from '../../gpu/dispatches.ts';
import type { Tampering } from '../builtin.ts';
import { ALL_LEVELS, type Edit, edited, editShaders, type Fault, type Ladder } from './fault.ts';

/** A tampering that counts the products it has seen: what it does to each depends on how many came before. */
export function counting(change: (made: Program, before: number) => Program): Tampering {
  let before = 0;
  return { program: (made) => change(made, before++) };
}

const TERM = 'fma(x[i * params.k + p], y[p * params.n + j], sum)';

/** Adds up from the last term to the first. */
const BACKWARDS: readonly Edit[] = [
  ['x[i * params.k + p]', 'x[i * params.k + (params.k - 1u - p)]'],
  ['y[p * params.n + j]', 'y[(params.k - 1u - p) * params.n + j]'],
];

/** Adds up the even terms, then the odd ones. */
const EVEN_FIRST: readonly Edit[] = [
  [
    `sum = ${TERM};`,
    `let half = (params.k + 1u) / 2u;
    let q = select(2u * p, 2u * (p - half) + 1u, p >= half);
    sum = fma(x[i * params.k + q], y[q * params.n + j], sum);`,
  ],
];

const twice = (edits: readonly Edit[], every: number) =>
  counting((made, before) => (before % every === every - 1 ? editShaders(made, ...edits) : made));

const DIFFERS = /differ from run to run|the same product again/;

/** Faults that make one product two. */
export const nonDeterminismFaults: readonly Fault[] = [
  {
    name: 'order-by-run',
    class: 'non-determinism',
    what: 'every second product is summed backwards, as if by whoever comes first',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    pointsAt: DIFFERS,
    get tampering() {
      return twice(BACKWARDS, 2);
    },
  },
  {
    name: 'split-by-run',
    class: 'non-determinism',
    what: 'every second product adds the even terms first, as if k were split over two workers',
    kernel: 'strassen:naive',
    levels: ALL_LEVELS,
    pointsAt: DIFFERS,
    get tampering() {
      return twice(EVEN_FIRST, 2);
    },
  },
  {
    name: 'uninitialised-accumulator',
    class: 'non-determinism',
    what: 'the sum starts with whatever lies in C',
    kernel: 'classical:naive',
    levels: [0],
    pointsAt: /never written|NaN/,
    tampering: edited(['var sum = 0.0;', 'var sum = s0[i * params.n + j];']),
  },
  {
    name: 'uninitialised-tile',
    class: 'non-determinism',
    what: 'the sum of a tile starts with what lies in C for rows of an odd index',
    kernel: 'classical:tiled',
    levels: [0],
    pointsAt: /row|never written|NaN/,
    tampering: edited(['var sum = 0.0;', 'var sum = select(0.0, s0[i * params.n + j], (i & 1u) == 1u);']),
  },
  {
    name: 'entry-by-run',
    class: 'non-determinism',
    what: 'every second product loses the last term in its last entry',
    kernel: 'winograd:naive',
    levels: ALL_LEVELS,
    pointsAt: /single entry|differ from run to run|the same product again|\d+ of \d+ entries/,
    get tampering() {
      return twice(
        [['p < params.k;', 'p < params.k - select(0u, 1u, i + 1u == params.m && j + 1u == params.n);']],
        2,
      );
    },
  },
];

/** How rarely a product may come out differently and still be noticed. */
export const nonDeterminismLadders: readonly Ladder[] = [
  {
    name: 'other-order',
    class: 'non-determinism',
    what: 'one product in … is summed backwards',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    rungs: [2, 4, 8, 16, 32, 64].map((every) => ({
      size: `${every}`,
      get tampering() {
        return twice(BACKWARDS, every);
      },
    })),
  },
];
