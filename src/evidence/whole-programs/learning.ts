import { power, type Table, tableOf } from '../../inputs/wild/table.ts';
import type { Routine } from './routine.ts';
import {
  bent,
  joinColumns,
  layerNorm,
  mapped,
  normal,
  ofUsualSize,
  plus,
  relu,
  rowsOf,
  sized,
  smoothRelu,
  softmax,
  splitColumns,
  times,
  turned,
  turnedEach,
  unitRows,
  weights,
} from './tables.ts';

const training: Routine = {
  name: 'training',
  what: 'Forward layers and backward gradients, step by step, with drifting weights.',
  *steps({ random, data }) {
    const rows = sized(random, 4, 48);
    const widths = Array.from({ length: random.int(3, 5) }, () => sized(random, 5, 96));
    const rate = power(random, -9, -3);
    let layers = widths.slice(1).map((to, at) => weights(random, widths[at], to));
    for (;;) {
      const seen = [data(rows, widths[0])];
      for (const [at, one] of layers.entries()) {
        const made: Table = yield { a: seen[at], b: one };
        seen.push(at < layers.length - 1 ? relu(made) : made);
      }
      const wanted = data(rows, widths.at(-1) as number);
      let back = times(plus(seen[layers.length], wanted, -1), 1 / rows);
      const drifted: Table[] = [];
      for (let at = layers.length - 1; at >= 0; at--) {
        const slope: Table = yield { a: turned(seen[at]), b: back, turned: 'a' };
        drifted.unshift(plus(layers[at], slope, -rate));
        if (at === 0) break;
        const passed: Table = yield { a: back, b: turned(layers[at]), turned: 'b' };
        back = mapped(passed, (x, i, j) => (seen[at].data[i * passed.cols + j] > 0 ? x : 0));
      }
      layers = drifted;
    }
  },
};

const recurring: Routine = {
  name: 'recurring',
  what: 'A recurrent state: one matrix, a nonlinearity and new input at each step.',
  *steps({ random, data }) {
    const [rows, width] = [sized(random, 1, 32), sized(random, 8, 96)];
    const own = weights(random, width, width);
    let state = data(rows, width);
    for (;;) {
      const next: Table = yield { a: state, b: own };
      state = bent(plus(next, data(rows, width)));
    }
  },
};

const attending: Routine = {
  name: 'attending',
  what: 'Attention blocks: normalized rows, heads, scores that sum to 1, and two layers.',
  *steps({ random, data }) {
    const [heads, own] = [2 ** random.int(0, 3), sized(random, 4, 16)];
    const [rows, width] = [sized(random, 4, 48), heads * own];
    const inner = sized(random, width, 2 * width);
    const [q, k, v, out] = [0, 1, 2, 3].map(() => weights(random, width, width));
    const [up, down] = [weights(random, width, inner), weights(random, inner, width)];
    for (let x = data(rows, width); ; x = ofUsualSize(x)) {
      const normed = layerNorm(x);
      const queries: Table = yield { a: normed, b: q };
      const keys: Table = yield { a: normed, b: k };
      const values: Table = yield { a: normed, b: v };
      const scores: Table = yield {
        ...{ a: splitColumns(queries, heads), b: turnedEach(splitColumns(keys, heads), heads) },
        ...{ batch: heads, alpha: 1 / Math.sqrt(own), turned: 'b' },
      };
      const mixed: Table = yield { a: softmax(scores), b: splitColumns(values, heads), batch: heads };
      const joined: Table = yield { a: joinColumns(mixed, heads), b: out };
      x = plus(x, joined);
      const high: Table = yield { a: layerNorm(x), b: up };
      const low: Table = yield { a: smoothRelu(high), b: down };
      x = plus(x, low);
    }
  },
};

const SIDE = 3;
const convolving: Routine = {
  name: 'convolving',
  what: 'Convolution filters over image patches, layer by layer, each smaller by its rim.',
  *steps({ random, data }) {
    for (;;) {
      let [channels, side] = [random.int(1, 3), sized(random, 8, 18)];
      for (let picture = data(channels, side * side); side > SIDE; side -= SIDE - 1) {
        const next = side - SIDE + 1;
        const { data: light } = picture;
        const at = (i: number, j: number) => [
          Math.floor(j / next) + (Math.floor(i / SIDE) % SIDE),
          (j % next) + (i % SIDE),
        ];
        const patches = tableOf(channels * SIDE ** 2, next * next, (i, j) => {
          const [row, col] = at(i, j);
          return light[Math.floor(i / SIDE ** 2) * side * side + row * side + col];
        });
        const more = sized(random, 4, 24);
        const made: Table = yield { a: turned(weights(random, channels * SIDE ** 2, more)), b: patches };
        [picture, channels] = [relu(layerNorm(made)), more];
      }
    }
  },
};

const searching: Routine = {
  name: 'searching',
  what: 'Unit vectors compared pairwise, and the means of the nearest.',
  *steps({ random, data }) {
    const [rows, width, few] = [sized(random, 24, 160), sized(random, 3, 48), sized(random, 2, 12)];
    let all = unitRows(data(rows, width));
    let means = rowsOf(all, 0, few);
    for (;;) {
      all = unitRows(plus(all, normal(random, rows, width), 0.02 / Math.sqrt(width)));
      const near: Table = yield { a: all, b: turned(means), turned: 'b' };
      const best = Array.from({ length: rows }, (_, i) => largestIn(near, i));
      const marks = tableOf(few, rows, (i, j) => Number(best[j] === i));
      const sums: Table = yield { a: marks, b: all };
      const asked = unitRows(plus(sums, data(few, width), 0.1));
      const scores: Table = yield { a: asked, b: turned(all), turned: 'b' };
      const soft: Table = yield { a: softmax(times(scores, 4)), b: all };
      means = unitRows(soft);
    }
  },
};

function largestIn({ cols, data }: Table, row: number): number {
  let best = 0;
  for (let j = 1; j < cols; j++) if (data[row * cols + j] > data[row * cols + best]) best = j;
  return best;
}

const fitting: Routine = {
  name: 'fitting',
  what: 'Residuals and gradients of a regression, with shrinking steps.',
  *steps({ random, data }) {
    const [rows, width, sides] = [sized(random, 20, 240), sized(random, 2, 24), sized(random, 1, 4)];
    const table = mapped(data(rows, width), (x, _, j) => (j === 0 ? 1 : x));
    const wanted = data(rows, sides);
    const gram: Table = yield { a: turned(table), b: table, turned: 'a', alpha: 1 / rows };
    const rate = 1 / gram.data.reduce((sum, x) => sum + Math.abs(x), 0);
    for (let factors = weights(random, width, sides); ; ) {
      const rest: Table = yield { a: table, b: factors, c: wanted, beta: -1 };
      const slope: Table = yield { a: turned(table), b: rest, turned: 'a', alpha: 1 / rows };
      factors = plus(factors, slope, -rate);
    }
  },
};

/** Routines that learn, or apply learned weights. */
export const learning: readonly Routine[] = [training, recurring, attending, convolving, searching, fitting];
