import { type DraftMatrix, drawPower, makeDraft } from '../../inputs/wild/table.ts';
import type { Routine } from './routine.ts';
import {
  addTables,
  applyLayerNorm,
  applyRelu,
  applySmoothRelu,
  applySoftmax,
  drawNormal,
  drawWeights,
  joinColumns,
  makeSized,
  mapEntries,
  multiplyTables,
  normalizeMagnitude,
  normalizeRows,
  splitColumns,
  squash,
  takeRows,
  transposeEach,
  transposeEntries,
} from './tables.ts';

const training: Routine = {
  name: 'training',
  what: 'Forward layers and backward gradients, step by step, with drifting weights.',
  *steps({ random, data }) {
    const rows = makeSized(random, 4, 48);
    const widths = Array.from({ length: random.int(3, 5) }, () => makeSized(random, 5, 96));
    const rate = drawPower(random, -9, -3);
    let layers = widths.slice(1).map((to, at) => drawWeights(random, widths[at], to));
    for (;;) {
      const seen = [data(rows, widths[0])];
      for (const [at, one] of layers.entries()) {
        const made: DraftMatrix = yield { a: seen[at], b: one };
        seen.push(at < layers.length - 1 ? applyRelu(made) : made);
      }
      const wanted = data(rows, widths.at(-1) as number);
      let back = multiplyTables(addTables(seen[layers.length], wanted, -1), 1 / rows);
      const drifted: DraftMatrix[] = [];
      for (let at = layers.length - 1; at >= 0; at--) {
        const slope: DraftMatrix = yield { a: transposeEntries(seen[at]), b: back, turned: 'a' };
        drifted.unshift(addTables(layers[at], slope, -rate));
        if (at === 0) break;
        const passed: DraftMatrix = yield { a: back, b: transposeEntries(layers[at]), turned: 'b' };
        back = mapEntries(passed, (x, i, j) => (seen[at].data[i * passed.cols + j] > 0 ? x : 0));
      }
      layers = drifted;
    }
  },
};

const recurring: Routine = {
  name: 'recurring',
  what: 'A recurrent state: one matrix, a nonlinearity and new input at each step.',
  *steps({ random, data }) {
    const [rows, width] = [makeSized(random, 1, 32), makeSized(random, 8, 96)];
    const own = drawWeights(random, width, width);
    let state = data(rows, width);
    for (;;) {
      const next: DraftMatrix = yield { a: state, b: own };
      state = squash(addTables(next, data(rows, width)));
    }
  },
};

const attending: Routine = {
  name: 'attending',
  what: 'Attention blocks: normalized rows, heads, scores that sum to 1, and two layers.',
  *steps({ random, data }) {
    const [heads, own] = [2 ** random.int(0, 3), makeSized(random, 4, 16)];
    const [rows, width] = [makeSized(random, 4, 48), heads * own];
    const inner = makeSized(random, width, 2 * width);
    const [q, k, v, out] = [0, 1, 2, 3].map(() => drawWeights(random, width, width));
    const [up, down] = [drawWeights(random, width, inner), drawWeights(random, inner, width)];
    for (let x = data(rows, width); ; x = normalizeMagnitude(x)) {
      const normed = applyLayerNorm(x);
      const queries: DraftMatrix = yield { a: normed, b: q };
      const keys: DraftMatrix = yield { a: normed, b: k };
      const values: DraftMatrix = yield { a: normed, b: v };
      const scores: DraftMatrix = yield {
        ...{ a: splitColumns(queries, heads), b: transposeEach(splitColumns(keys, heads), heads) },
        ...{ batch: heads, alpha: 1 / Math.sqrt(own), turned: 'b' },
      };
      const mixed: DraftMatrix = yield {
        a: applySoftmax(scores),
        b: splitColumns(values, heads),
        batch: heads,
      };
      const joined: DraftMatrix = yield { a: joinColumns(mixed, heads), b: out };
      x = addTables(x, joined);
      const high: DraftMatrix = yield { a: applyLayerNorm(x), b: up };
      const low: DraftMatrix = yield { a: applySmoothRelu(high), b: down };
      x = addTables(x, low);
    }
  },
};

const SIDE = 3;
const convolving: Routine = {
  name: 'convolving',
  what: 'Convolution filters over image patches, layer by layer, each smaller by its rim.',
  *steps({ random, data }) {
    for (;;) {
      let [channels, side] = [random.int(1, 3), makeSized(random, 8, 18)];
      for (let picture = data(channels, side * side); side > SIDE; side -= SIDE - 1) {
        const next = side - SIDE + 1;
        const { data: light } = picture;
        const at = (i: number, j: number) => [
          Math.floor(j / next) + (Math.floor(i / SIDE) % SIDE),
          (j % next) + (i % SIDE),
        ];
        const patches = makeDraft(channels * SIDE ** 2, next * next, (i, j) => {
          const [row, col] = at(i, j);
          return light[Math.floor(i / SIDE ** 2) * side * side + row * side + col];
        });
        const more = makeSized(random, 4, 24);
        const made: DraftMatrix = yield {
          a: transposeEntries(drawWeights(random, channels * SIDE ** 2, more)),
          b: patches,
        };
        [picture, channels] = [applyRelu(applyLayerNorm(made)), more];
      }
    }
  },
};

const searching: Routine = {
  name: 'searching',
  what: 'Unit vectors compared pairwise, and the means of the nearest.',
  *steps({ random, data }) {
    const [rows, width, few] = [
      makeSized(random, 24, 160),
      makeSized(random, 3, 48),
      makeSized(random, 2, 12),
    ];
    let all = normalizeRows(data(rows, width));
    let means = takeRows(all, 0, few);
    for (;;) {
      all = normalizeRows(addTables(all, drawNormal(random, rows, width), 0.02 / Math.sqrt(width)));
      const near: DraftMatrix = yield { a: all, b: transposeEntries(means), turned: 'b' };
      const best = Array.from({ length: rows }, (_, i) => largestIn(near, i));
      const marks = makeDraft(few, rows, (i, j) => Number(best[j] === i));
      const sums: DraftMatrix = yield { a: marks, b: all };
      const asked = normalizeRows(addTables(sums, data(few, width), 0.1));
      const scores: DraftMatrix = yield { a: asked, b: transposeEntries(all), turned: 'b' };
      const soft: DraftMatrix = yield { a: applySoftmax(multiplyTables(scores, 4)), b: all };
      means = normalizeRows(soft);
    }
  },
};

function largestIn({ cols, data }: DraftMatrix, row: number): number {
  let best = 0;
  for (let j = 1; j < cols; j++) if (data[row * cols + j] > data[row * cols + best]) best = j;
  return best;
}

const fitting: Routine = {
  name: 'fitting',
  what: 'Residuals and gradients of a regression, with shrinking steps.',
  *steps({ random, data }) {
    const [rows, width, sides] = [
      makeSized(random, 20, 240),
      makeSized(random, 2, 24),
      makeSized(random, 1, 4),
    ];
    const table = mapEntries(data(rows, width), (x, _, j) => (j === 0 ? 1 : x));
    const wanted = data(rows, sides);
    const gram: DraftMatrix = yield { a: transposeEntries(table), b: table, turned: 'a', alpha: 1 / rows };
    const rate = 1 / gram.data.reduce((sum, x) => sum + Math.abs(x), 0);
    for (let factors = drawWeights(random, width, sides); ; ) {
      const rest: DraftMatrix = yield { a: table, b: factors, c: wanted, beta: -1 };
      const slope: DraftMatrix = yield { a: transposeEntries(table), b: rest, turned: 'a', alpha: 1 / rows };
      factors = addTables(factors, slope, -rate);
    }
  },
};

/** Routines that learn, or apply learned weights. */
export const learning: readonly Routine[] = [training, recurring, attending, convolving, searching, fitting];
