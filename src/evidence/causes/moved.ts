import type { Cause, EntryPrediction, Prediction, WrongProductScene } from './cause.ts';
import { listPowersOfTwo, singlePrediction } from './cause.ts';
import { readTransposedResult } from './layouts.ts';

/** Returns the source of the entry found at (i, j); a source outside C is unknown. */
type From = (i: number, j: number) => readonly [i: number, j: number];

/** Returns the exact product with its entries moved; unknown where they come from outside. */
function from({ expected, gemm: { m, n } }: WrongProductScene, where: From): EntryPrediction {
  return (i, j, p) => {
    const [row, col] = where(i, j);
    return row < 0 || col < 0 || row >= m || col >= n ? undefined : expected(row, col, p);
  };
}

const writtenAsTranspose = singlePrediction('c-transposed', 'C was written as its transpose', (scene) => {
  const { m, n } = scene.gemm;
  return Math.min(m, n) < 2 ? undefined : readTransposedResult(scene, scene.expected);
});

const reversed: Cause = {
  name: 'c-reversed',
  *predict(scene) {
    const { m, n } = scene.gemm;
    yield {
      says: 'the rows of C are in reverse order',
      entry: from(scene, (i, j) => [m - 1 - i, j]),
    };
    yield {
      says: 'the columns of C are in reverse order',
      entry: from(scene, (i, j) => [i, n - 1 - j]),
    };
    yield {
      says: 'the rows and the columns of C are in reverse order',
      entry: from(scene, (i, j) => [m - 1 - i, n - 1 - j]),
    };
  },
};

/** Up to this distance every shift is tried; beyond it only powers of two. */
const NEAR = 64;
const stepsTo = (most: number): number[] => [
  ...new Set([...Array.from({ length: NEAR }, (_, at) => at + 1), ...listPowersOfTwo(NEAR, most)]),
];

/** Rows and columns: their names, their count, and the entry some lines further on. */
const axes: readonly {
  readonly lines: string;
  readonly line: 'row' | 'column';
  readonly count: 'm' | 'n';
  readonly move: (i: number, j: number, by: number) => readonly [i: number, j: number];
}[] = [
  { lines: 'rows', line: 'row', count: 'm', move: (i, j, by) => [i + by, j] },
  { lines: 'columns', line: 'column', count: 'n', move: (i, j, by) => [i, j + by] },
];

const shifted: Cause = {
  name: 'c-shifted',
  *predict(scene) {
    const { m, n } = scene.gemm;
    for (const { lines, line, count, move } of axes) {
      const size = scene.gemm[count];
      for (const by of stepsTo(size - 1).filter((by) => by < size)) {
        for (const way of [by, -by]) {
          const further = `${by} ${by === 1 ? line : lines} ${way > 0 ? 'further on' : 'before'}`;
          const around: From = (i, j) => {
            const [row, col] = move(i, j, way);
            return [(row + m) % m, (col + n) % n];
          };
          yield {
            says: `each ${line} of C is the one ${further}, with wraparound`,
            entry: from(scene, around),
          };
          yield {
            says: `each ${line} of C is the one ${further}`,
            entry: from(scene, (i, j) => move(i, j, way)),
          };
        }
      }
    }
  },
};

const swappedTiles: Cause = {
  name: 'c-tiles-swapped',
  *predict(scene) {
    for (const { lines, line, count, move } of axes) {
      for (const size of listPowersOfTwo(1, Math.max(1, scene.gemm[count] - 1))) {
        const swap: From = (i, j) => {
          const at = line === 'row' ? i : j;
          return move(i, j, (at ^ size) - at);
        };
        const which = size === 1 ? `neighboring ${lines}` : `neighboring blocks of ${size} ${lines}`;
        yield { says: `${which} of C were swapped`, entry: from(scene, swap) };
      }
    }
  },
};

/** Pairs of quadrants that may be swapped, as row and column of each. */
const PAIRS = [
  [0, 0, 0, 1],
  [0, 0, 1, 0],
  [0, 0, 1, 1],
  [0, 1, 1, 0],
  [0, 1, 1, 1],
  [1, 0, 1, 1],
] as const;

const swappedQuadrants: Cause = {
  name: 'c-quadrants-swapped',
  *predict(scene) {
    const { m, n } = scene.gemm;
    const [rows, cols] = [Math.ceil(m / 2), Math.ceil(n / 2)];
    for (const [r, c, r2, c2] of PAIRS) {
      const swap: From = (i, j) => {
        const [row, col] = [Number(i >= rows), Number(j >= cols)];
        const [toRow, toCol] =
          row === r && col === c ? [r2, c2] : row === r2 && col === c2 ? [r, c] : [row, col];
        return [i + (toRow - row) * rows, j + (toCol - col) * cols];
      };
      const names = [
        [r, c],
        [r2, c2],
      ].map(([row, col]) => `C${row + 1}${col + 1}`);
      yield { says: `${names.join(' and ')} were swapped`, entry: from(scene, swap) };
    }
  },
};

const repeatedLines: Cause = {
  name: 'c-lines-repeated',
  *predict(scene) {
    for (const { lines, line, count, move } of axes) {
      for (const after of listPowersOfTwo(1, scene.gemm[count] - 1)) {
        const wrap: From = (i, j) => {
          const at = line === 'row' ? i : j;
          return move(i, j, (at % after) - at);
        };
        const first = after === 1 ? `the first ${line}` : `the first ${after} ${lines}`;
        yield { says: `${first} of C ${after === 1 ? 'was' : 'were'} repeated`, entry: from(scene, wrap) };
      }
    }
  },
};

const ofAnotherProduct: Cause = {
  name: 'c-of-other-product',
  *predict({ gemm: { batch }, expected }) {
    if (batch < 2) return;
    const ways: readonly (readonly [string, (p: number) => number])[] = [
      ['every product of the batch is the first one', () => 0],
      ['each product of the batch is the next one', (p) => p + 1],
      ['each product of the batch is the previous one', (p) => p - 1],
      ['the products of the batch are in reverse order', (p) => batch - 1 - p],
    ];
    for (const [says, of] of ways) {
      const entry: EntryPrediction = (i, j, p) =>
        of(p) < 0 || of(p) >= batch ? undefined : expected(i, j, of(p));
      yield { says, entry } satisfies Prediction;
    }
  },
};

/** The most rows for which each is searched among all. */
const MOST_ROWS = 256;
/** The fewest entries that identify a row. */
const FEWEST_ENTRIES = 3;

/** Rows or columns in another order, found by searching for each among all. */
const reordered: Cause = {
  name: 'c-permuted',
  *predict(scene) {
    const { expected, found, gemm } = scene;
    // Each line is searched for among all, which costs too much where each exact entry has to be summed first.
    if (scene.low === undefined) return;
    for (const { line, lines, count } of axes) {
      const [size, length] = [gemm[count], gemm[line === 'row' ? 'n' : 'm']];
      if (size > MOST_ROWS || size < 3 || length < FEWEST_ENTRIES || gemm.batch > 1) continue;
      const at = (of: WrongProductScene['found'], one: number, e: number) =>
        line === 'row' ? of(one, e, 0) : of(e, one, 0);
      const near = (x: number, y: number) => Math.abs(x - y) <= Math.abs(y) * ALIKE;
      const isLine = (one: number, other: number) => {
        for (let e = 0; e < length; e++) if (!near(at(found, one, e), at(expected, other, e))) return false;
        return true;
      };
      const all = Array.from({ length: size }, (_, at) => at);
      const sources = all.map((one) => all.findIndex((other) => isLine(one, other)));
      const moved = all.find((one) => sources[one] >= 0 && sources[one] !== one);
      if (moved === undefined) continue;
      const isWhole = new Set(sources).size === size && !sources.includes(-1);
      const example = `${line} ${moved} holds ${line} ${sources[moved]}`;
      const says = isWhole
        ? `the ${lines} of C are in another order`
        : `some ${lines} of C are in the wrong place`;
      yield {
        says: `${says}: ${example}`,
        entry: from(scene, (i, j) => (line === 'row' ? [sources[i], j] : [i, sources[j]])),
        price: size * Math.log2(size),
      };
    }
  },
};

/** The relative difference up to which two entries count as the same. */
const ALIKE = 2 ** -10;

/** Mistakes that leave right entries in wrong places. */
export const movedCauses: readonly Cause[] = [
  writtenAsTranspose,
  reversed,
  swappedQuadrants,
  swappedTiles,
  ofAnotherProduct,
  shifted,
  repeatedLines,
  reordered,
];
