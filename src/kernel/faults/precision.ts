import { editShaders, type Fault, ROUND_11 } from './fault.ts';

const ALL_LEVELS = [0, 1, 2, 3];
const STRUCT = 'struct Params';

/** Faults that are no faults of indexing: less precision than claimed. */
export const precisionFaults: readonly Fault[] = [
  {
    name: 'f16-accumulator',
    what: 'sums are kept in 11 bits, as f16 would',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    pointsAt: /significant bits/,
    tampering: {
      program: (made) =>
        editShaders(
          editShaders(made, STRUCT, `${ROUND_11}${STRUCT}`),
          /sum = (fma\(.*\));/,
          'sum = round11($1);',
        ),
    },
  },
  {
    name: 'tf32-products',
    what: 'operands are rounded to 11 bits before they are multiplied, as tf32 units do',
    kernel: 'classical:tiled',
    levels: ALL_LEVELS,
    pointsAt: /significant bits/,
    tampering: {
      program: (made) =>
        editShaders(
          editShaders(made, STRUCT, `${ROUND_11}${STRUCT}`),
          /fma\((xs\[.*?\]), (ys\[.*?\]), sum\)/,
          'fma(round11($1), round11($2), sum)',
        ),
    },
  },
];
