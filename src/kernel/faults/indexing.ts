import { ALL_LEVELS, edited, type Fault, type Ladder } from './fault.ts';

const EVERYWHERE = /all \d+×\d+ entries/;

/** Faults in which terms a leaf sums: missing, twice, or from the wrong place. */
export const indexingFaults: readonly Fault[] = (
  [
    {
      name: 'dropped-last-k',
      what: 'the loop over k stops one term early',
      kernel: 'classical:naive',
      pointsAt: /last term of k were missing/,
      tampering: edited(['p < params.k;', 'p + 1u < params.k;']),
    },
    {
      name: 'dropped-k-tail',
      what: 'the terms of k that no vec4 holds are forgotten',
      kernel: 'classical:register',
      pointsAt: /last (term|\d terms) of k were missing/,
      tampering: edited(['for (var p = whole; p < params.k;', 'for (var p = whole; p < whole;']),
    },
    {
      name: 'one-tile-off',
      what: 'the tiles of B are read one tile further down k',
      kernel: 'classical:tiled',
      pointsAt: EVERYWHERE,
      tampering: edited(['y[(p + local.y) *', 'y[(p + local.y + 16u) *']),
    },
    {
      name: 'first-tile-only',
      what: 'only the first tile is computed correctly: what a test of a small corner would miss',
      kernel: 'classical:tiled',
      pointsAt: /but (the first .*tile|where the first 16 rows .* and the first 16 columns)/,
      tampering: edited([
        'finish(i * params.n + j, sum);',
        'finish(i * params.n + j, select(sum, sum + 1.0, max(id.x, id.y) >= 16u));',
      ]),
    },
    {
      name: 'first-k-skipped',
      what: 'the loop over k starts at the second term',
      kernel: 'classical:naive',
      pointsAt: EVERYWHERE,
      tampering: edited(['for (var p = 0u;', 'for (var p = 1u;']),
    },
    {
      name: 'one-k-too-many',
      what: 'the loop over k reads one term beyond its end',
      kernel: 'classical:naive',
      pointsAt: /all \d+×\d+ entries|everything but/,
      tampering: edited(['p < params.k;', 'p <= params.k;']),
    },
    {
      name: 'first-k-twice',
      what: 'the sum starts with the first product, and the loop adds it again',
      kernel: 'classical:naive',
      pointsAt: EVERYWHERE,
      tampering: edited(['var sum = 0.0;', 'var sum = x[i * params.k] * y[j];']),
    },
    {
      name: 'last-tile-not-cleared',
      what: 'the last tile of k is summed to its full depth, over what the tile before left there',
      kernel: 'classical:tiled',
      pointsAt: /entries|everything/,
      tampering: edited([/let depth = min\((\d+u), params\.k - p\);/, 'let depth = $1;']),
    },
    {
      name: 'row-below',
      what: 'row i of A is read one row further down',
      kernel: 'classical:naive',
      pointsAt: /all \d+×\d+ entries|last row|everything but/,
      tampering: edited(['x[i * params.k + p]', 'x[(i + 1u) * params.k + p]']),
    },
    {
      name: 'column-beside',
      what: 'column j of B is read one column further right',
      kernel: 'classical:register',
      pointsAt: EVERYWHERE,
      tampering: edited(
        [/params\.n \+ min\(j \+ 1u,/, 'params.n + min(j + 2u,'],
        [/\+ j\) \/ 4u\]/, '+ (j ^ 4u)) / 4u]'],
      ),
    },
    {
      name: 'columns-swapped-in-tile',
      what: 'columns 2 and 3 of every tile of B change places',
      kernel: 'classical:tiled',
      pointsAt: /column/,
      tampering: edited([
        /(ys\[q \* \d+u \+ )local\.x\]/,
        '$1select(local.x, local.x ^ 1u, (local.x & 2u) == 2u && local.x < 4u)]',
      ]),
    },
    {
      name: 'register-row-reused',
      what: 'the first of four terms of the second register row is taken from the first row of A',
      kernel: 'classical:register',
      pointsAt: /row/,
      tampering: edited(['vec4<f32>(x1.x)', 'vec4<f32>(x0.x)']),
    },
    {
      name: 'fourth-term-lost',
      what: 'the fourth of four terms is not added in the first register row',
      kernel: 'classical:register',
      pointsAt: /row/,
      tampering: edited([/c0_0 = fma\(vec4<f32>\(x0\.w\), .*\);/, 'c0_0 = c0_0 + vec4<f32>(x0.w) * 0.0;']),
    },
    {
      name: 'same-operand-twice',
      what: 'A is multiplied by what lies in A, where it should be B',
      kernel: 'classical:naive',
      pointsAt: EVERYWHERE,
      tampering: edited(['y[p * params.n + j]', 'select(y[0], x[p * params.n + j], params.k > 0u)']),
    },
  ] satisfies Omit<Fault, 'class' | 'levels'>[]
).map((fault) => ({ ...fault, class: 'indexing', levels: ALL_LEVELS }));

/** How long k, and how large A, must be for a fault to be met. */
export const indexingLadders: readonly Ladder[] = [
  {
    name: 'inner-index',
    class: 'indexing',
    what: 'the index over k starts again after …',
    kernel: 'classical:register',
    levels: [0],
    rungs: [16, 64, 128, 192, 256, 4096].map((terms) => ({
      size: `${terms} terms`,
      tampering: edited([/i \* params\.k \+ p/, `i * params.k + (p % ${terms}u)`]),
    })),
  },
  {
    name: 'offset-in-a',
    class: 'indexing',
    what: 'places in A are counted in …',
    kernel: 'classical:register',
    levels: [0],
    rungs: [8, 10, 12, 14, 15, 16].map((bits) => ({
      size: `${bits} bits`,
      tampering: edited([/i \* params\.k \+ p/, `((i * params.k + p) & ${2 ** bits - 1}u)`]),
    })),
  },
];
