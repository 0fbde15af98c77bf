import type { Random } from '../../base/random.ts';
import { power, type Table, tableOf } from '../../inputs/wild/table.ts';
import type { Routine } from './routine.ts';
import {
  blockOf,
  centred,
  mapped,
  normal,
  ofUsualSize,
  orthonormal,
  plus,
  sized,
  softmax,
  times,
  turned,
  unit,
} from './tables.ts';

const finding: Routine = {
  name: 'finding-axes',
  what: 'Power iteration on a covariance matrix, with orthonormalized columns.',
  *steps({ random, data }) {
    const [rows, width] = [sized(random, 32, 160), sized(random, 8, 64)];
    const all = centred(data(rows, width));
    const covariance: Table = yield { a: turned(all), b: all, turned: 'a', alpha: 1 / rows };
    let axes = orthonormal(normal(random, width, sized(random, 1, 8)));
    for (let step = 1; ; step++) {
      const next: Table = yield { a: covariance, b: axes };
      if (step % 8 === 0) yield { a: turned(axes), b: next, turned: 'a' };
      axes = orthonormal(next);
    }
  },
};

/** Number of steps after which a converging iteration starts again. */
const CONVERGED = 7;

const inverting: Routine = {
  name: 'inverting',
  what: 'X(2I − AX) for an A that drifts (Newton, Schulz).',
  *steps({ random }) {
    const size = sized(random, 6, 56);
    const drift = power(random, -12, -6) / Math.sqrt(size);
    let own = plus(unit(size), normal(random, size, size), 0.3 / size);
    for (let found = unit(size), step = 1; ; step++) {
      const beside: Table = yield { a: own, b: found };
      found = yield { a: found, b: plus(unit(size, 2), beside, -1) };
      if (step % CONVERGED === 0) own = plus(own, normal(random, size, size), drift);
    }
  },
};

const straightening: Routine = {
  name: 'straightening',
  what: 'X(3I − XᵀX)/2 until columns are orthonormal, matrix by matrix.',
  *steps({ random, data }) {
    for (;;) {
      const width = sized(random, 4, 40);
      const rows = sized(random, width, 72);
      const begun = plus(data(rows, width), normal(random, rows, width));
      const size = Math.sqrt(begun.data.reduce((sum, x) => sum + x * x, 0));
      let own = times(begun, 1 / size);
      for (let step = 0; step < 2 * CONVERGED; step++) {
        const gram: Table = yield { a: turned(own), b: own, turned: 'a' };
        own = yield { a: own, b: plus(unit(width, 1.5), gram, -0.5) };
      }
    }
  },
};

/**
 * Returns a Laplacian: minus the weights between nodes, with their sums and a little more on the diagonal. It is symmetric and positive.
 */
function laplacian(size: number, random: Random): Table {
  const share = Math.min(1, 6 / size);
  const made = tableOf(size, size, () => 0);
  for (let i = 0; i < size; i++)
    for (let j = 0; j < i; j++)
      if (random.uniform01() < share) {
        const weight = 0.2 + Math.abs(random.normal());
        made.data[i * size + j] = made.data[j * size + i] = -weight;
        made.data[i * size + i] += weight;
        made.data[j * size + j] += weight;
      }
  for (let i = 0; i < size; i++) made.data[i * size + i] += 0.05;
  return made;
}

/** Returns the dot products of equal columns of two matrices. */
const dots = (one: Table, other: Table): Float64Array => {
  const all = new Float64Array(one.cols);
  for (let at = 0; at < one.data.length; at++) all[at % one.cols] += one.data[at] * other.data[at];
  return all;
};

const solving: Routine = {
  name: 'solving',
  what: 'Conjugate gradients on a graph Laplacian, with several right-hand sides.',
  *steps({ random, data }) {
    const [size, sides] = [sized(random, 12, 80), sized(random, 1, 6)];
    const own = laplacian(size, random);
    for (;;) {
      let rest = data(size, sides);
      let [ahead, before] = [rest, dots(rest, rest)];
      for (let step = 0; step < 2 * CONVERGED; step++) {
        const next: Table = yield { a: own, b: ahead };
        const along = dots(ahead, next);
        const factors = before.map((x, j) => (along[j] > 0 ? x / along[j] : 0));
        rest = mapped(rest, (x, i, j) => x - factors[j] * next.data[i * sides + j]);
        const after = dots(rest, rest);
        const kept = after.map((x, j) => (before[j] > 0 ? x / before[j] : 0));
        ahead = mapped(rest, (x, i, j) => x + kept[j] * ahead.data[i * sides + j]);
        before = after;
      }
    }
  },
};

const wandering: Routine = {
  name: 'wandering',
  what: 'Probabilities times a transition matrix, sometimes times its powers.',
  *steps({ random, data }) {
    const [size, rows] = [sized(random, 4, 64), sized(random, 1, 8)];
    const own = softmax(times(data(size, size), 2));
    let [chances, far] = [softmax(data(rows, size)), own];
    for (let step = 1; ; step++) {
      const next: Table = yield { a: chances, b: far };
      chances = mapped(next, (x) => 0.9 * x + 0.1 / size);
      if (step % CONVERGED !== 0) continue;
      const further: Table = yield { a: far, b: own };
      far = further;
    }
  },
};

const spreading: Routine = {
  name: 'spreading',
  what: 'Heat that spreads along lines, in both directions.',
  *steps({ random, data }) {
    const [rows, cols] = [sized(random, 8, 64), sized(random, 1, 48)];
    const [step, source] = [random.uniform(0.05, 0.4), data(rows, cols)];
    const second = (size: number) =>
      tableOf(size, size, (i, j) => (i === j ? -2 : Math.abs(i - j) === 1 ? 1 : 0));
    const [down, along] = [second(rows), second(cols)];
    for (let heat = source; ; ) {
      const ofColumns: Table = yield { a: down, b: heat };
      heat = plus(plus(heat, ofColumns, step), source, 0.01);
      if (cols < 3) continue;
      const ofRows: Table = yield { a: heat, b: along };
      heat = plus(heat, ofRows, step / 2);
    }
  },
};

const tracking: Routine = {
  name: 'tracking',
  what: 'State and covariance of a moving point (Kalman filter).',
  *steps({ random }) {
    const [axes, seconds] = [random.int(1, 5), power(random, -4, 0)];
    const size = 2 * axes;
    const moves = tableOf(size, size, (i, j) => (i === j ? 1 : j === i + axes ? seconds : 0));
    const sees = tableOf(axes, size, (i, j) => Number(i === j));
    let [state, doubt] = [normal(random, size, 1), unit(size, 4)];
    for (;;) {
      state = yield { a: moves, b: state };
      const half: Table = yield { a: moves, b: doubt };
      doubt = yield { a: half, b: turned(moves), c: unit(size, 0.01), turned: 'b' };
      const seen: Table = yield { a: doubt, b: turned(sees), turned: 'b' };
      const gain = mapped(seen, (x, _, j) => x / (seen.data[j * axes + j] + 0.5));
      const told = plus(blockOf(state, [0, axes], [0, 1]), normal(random, axes, 1), 0.7);
      const news = plus(told, blockOf(state, [0, axes], [0, 1]), -1);
      state = yield { a: gain, b: news, c: state };
      const kept: Table = yield { a: gain, b: sees, c: unit(size), alpha: -1 };
      doubt = yield { a: kept, b: doubt };
      doubt = plus(times(doubt, 0.5), times(turned(doubt), 0.5));
    }
  },
};

const growing: Routine = {
  name: 'growing',
  what: 'A growing basis: the orthogonal part of new columns is added.',
  *steps({ random, data }) {
    for (;;) {
      const [rows, few] = [sized(random, 16, 120), sized(random, 1, 5)];
      let basis = orthonormal(ofUsualSize(normal(random, rows, few)));
      while (basis.cols + few <= Math.min(rows, 48)) {
        const fresh = plus(data(rows, few), normal(random, rows, few));
        const shares: Table = yield { a: turned(basis), b: fresh, turned: 'a' };
        const rest: Table = yield { a: basis, b: shares, c: fresh, alpha: -1 };
        const [old, own] = [basis, orthonormal(rest)];
        basis = tableOf(rows, old.cols + few, (i, j) =>
          j < old.cols ? old.data[i * old.cols + j] : own.data[i * few + j - old.cols],
        );
      }
    }
  },
};

/** Routines that converge, or advance in time. */
export const iterating: readonly Routine[] = [
  ...[finding, inverting, straightening, solving, wandering, spreading, tracking, growing],
];
