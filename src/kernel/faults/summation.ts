import { editShaders, type Fault } from './fault.ts';

const ALL_LEVELS = [0, 1, 2, 3];

/** Faults in which terms a leaf sums: missing, from the wrong place, or from the wrong time. */
export const summationFaults: readonly Fault[] = [
  {
    name: 'dropped-last-k',
    what: 'the loop over k stops one term early',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    pointsAt: /last term of k were missing/,
    tampering: { program: (made) => editShaders(made, 'p < params.k;', 'p + 1u < params.k;') },
  },
  {
    name: 'dropped-k-tail',
    what: 'the terms of k that no vec4 holds are forgotten',
    kernel: 'classical:register',
    levels: ALL_LEVELS,
    pointsAt: /last (term|\d terms) of k were missing/,
    tampering: {
      program: (made) =>
        editShaders(made, 'for (var p = whole; p < params.k;', 'for (var p = whole; p < whole;'),
    },
  },
  {
    name: 'one-tile-off',
    what: 'the tiles of B are read one tile further down k',
    kernel: 'classical:tiled',
    levels: ALL_LEVELS,
    pointsAt: /all \d+×\d+ entries/,
    tampering: { program: (made) => editShaders(made, 'y[(p + local.y) *', 'y[(p + local.y + 16u) *') },
  },
  {
    name: 'stale-tile',
    what: 'no barrier between loading a tile and using it',
    kernel: 'classical:tiled',
    levels: ALL_LEVELS,
    pointsAt: /all \d+×\d+ entries|tile|row/,
    tampering: { program: (made) => editShaders(made, 'workgroupBarrier();\n    let depth', 'let depth') },
  },
  {
    name: 'transposed-b',
    what: 'B is read as if it were stored transposed',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    pointsAt: /transposed/,
    tampering: { program: (made) => editShaders(made, 'y[p * params.n + j]', 'y[j * params.k + p]') },
  },
  {
    name: 'first-tile-only',
    what: 'only the first tile is computed correctly: what a test of a small corner would miss',
    kernel: 'classical:tiled',
    levels: ALL_LEVELS,
    pointsAt: /but the first .*tile/,
    tampering: {
      program: (made) =>
        editShaders(
          made,
          'finish(i * params.n + j, sum);',
          'finish(i * params.n + j, select(sum, sum + 1.0, max(id.x, id.y) >= 16u));',
        ),
    },
  },
];
