import type { Random } from '../../base/random.ts';
import { type DraftMatrix, drawPower, makeDraft } from '../../inputs/wild/table.ts';
import type { Routine } from './routine.ts';
import {
  addTables,
  applySoftmax,
  centerColumns,
  drawNormal,
  makeSized,
  mapEntries,
  multiplyTables,
  normalizeMagnitude,
  orthonormalizeColumns,
  takeBlock,
  transposeEntries,
  unit,
} from './tables.ts';

const finding: Routine = {
  name: 'finding-axes',
  what: 'Power iteration on a covariance matrix, with orthonormalized columns.',
  *steps({ random, data }) {
    const [rows, width] = [makeSized(random, 32, 160), makeSized(random, 8, 64)];
    const all = centerColumns(data(rows, width));
    const covariance: DraftMatrix = yield { a: transposeEntries(all), b: all, turned: 'a', alpha: 1 / rows };
    let axes = orthonormalizeColumns(drawNormal(random, width, makeSized(random, 1, 8)));
    for (let step = 1; ; step++) {
      const next: DraftMatrix = yield { a: covariance, b: axes };
      if (step % 8 === 0) yield { a: transposeEntries(axes), b: next, turned: 'a' };
      axes = orthonormalizeColumns(next);
    }
  },
};

/** Number of steps after which a converging iteration starts again. */
const CONVERGED = 7;

const inverting: Routine = {
  name: 'inverting',
  what: 'X(2I − AX) for an A that drifts (Newton, Schulz).',
  *steps({ random }) {
    const size = makeSized(random, 6, 56);
    const drift = drawPower(random, -12, -6) / Math.sqrt(size);
    let own = addTables(unit(size), drawNormal(random, size, size), 0.3 / size);
    for (let found = unit(size), step = 1; ; step++) {
      const beside: DraftMatrix = yield { a: own, b: found };
      found = yield { a: found, b: addTables(unit(size, 2), beside, -1) };
      if (step % CONVERGED === 0) own = addTables(own, drawNormal(random, size, size), drift);
    }
  },
};

const straightening: Routine = {
  name: 'straightening',
  what: 'X(3I − XᵀX)/2 until columns are orthonormal, matrix by matrix.',
  *steps({ random, data }) {
    for (;;) {
      const width = makeSized(random, 4, 40);
      const rows = makeSized(random, width, 72);
      const begun = addTables(data(rows, width), drawNormal(random, rows, width));
      const size = Math.sqrt(begun.data.reduce((sum, x) => sum + x * x, 0));
      let own = multiplyTables(begun, 1 / size);
      for (let step = 0; step < 2 * CONVERGED; step++) {
        const gram: DraftMatrix = yield { a: transposeEntries(own), b: own, turned: 'a' };
        own = yield { a: own, b: addTables(unit(width, 1.5), gram, -0.5) };
      }
    }
  },
};

/**
 * Returns a Laplacian: minus the weights between nodes, with their sums and a little more on the diagonal. It is symmetric and positive.
 */
function laplacian(size: number, random: Random): DraftMatrix {
  const share = Math.min(1, 6 / size);
  const made = makeDraft(size, size, () => 0);
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
const dots = (one: DraftMatrix, other: DraftMatrix): Float64Array => {
  const all = new Float64Array(one.cols);
  for (let at = 0; at < one.data.length; at++) all[at % one.cols] += one.data[at] * other.data[at];
  return all;
};

const solving: Routine = {
  name: 'solving',
  what: 'Conjugate gradients on a graph Laplacian, with several right-hand sides.',
  *steps({ random, data }) {
    const [size, sides] = [makeSized(random, 12, 80), makeSized(random, 1, 6)];
    const own = laplacian(size, random);
    for (;;) {
      let rest = data(size, sides);
      let [ahead, before] = [rest, dots(rest, rest)];
      for (let step = 0; step < 2 * CONVERGED; step++) {
        const next: DraftMatrix = yield { a: own, b: ahead };
        const along = dots(ahead, next);
        const factors = before.map((x, j) => (along[j] > 0 ? x / along[j] : 0));
        rest = mapEntries(rest, (x, i, j) => x - factors[j] * next.data[i * sides + j]);
        const after = dots(rest, rest);
        const kept = after.map((x, j) => (before[j] > 0 ? x / before[j] : 0));
        ahead = mapEntries(rest, (x, i, j) => x + kept[j] * ahead.data[i * sides + j]);
        before = after;
      }
    }
  },
};

const wandering: Routine = {
  name: 'wandering',
  what: 'Probabilities times a transition matrix, sometimes times its powers.',
  *steps({ random, data }) {
    const [size, rows] = [makeSized(random, 4, 64), makeSized(random, 1, 8)];
    const own = applySoftmax(multiplyTables(data(size, size), 2));
    let [chances, far] = [applySoftmax(data(rows, size)), own];
    for (let step = 1; ; step++) {
      const next: DraftMatrix = yield { a: chances, b: far };
      chances = mapEntries(next, (x) => 0.9 * x + 0.1 / size);
      if (step % CONVERGED !== 0) continue;
      const further: DraftMatrix = yield { a: far, b: own };
      far = further;
    }
  },
};

const spreading: Routine = {
  name: 'spreading',
  what: 'Heat that spreads along lines, in both directions.',
  *steps({ random, data }) {
    const [rows, cols] = [makeSized(random, 8, 64), makeSized(random, 1, 48)];
    const [step, source] = [random.uniform(0.05, 0.4), data(rows, cols)];
    const second = (size: number) =>
      makeDraft(size, size, (i, j) => (i === j ? -2 : Math.abs(i - j) === 1 ? 1 : 0));
    const [down, along] = [second(rows), second(cols)];
    for (let heat = source; ; ) {
      const ofColumns: DraftMatrix = yield { a: down, b: heat };
      heat = addTables(addTables(heat, ofColumns, step), source, 0.01);
      if (cols < 3) continue;
      const ofRows: DraftMatrix = yield { a: heat, b: along };
      heat = addTables(heat, ofRows, step / 2);
    }
  },
};

const tracking: Routine = {
  name: 'tracking',
  what: 'State and covariance of a moving point (Kalman filter).',
  *steps({ random }) {
    const [axes, seconds] = [random.int(1, 5), drawPower(random, -4, 0)];
    const size = 2 * axes;
    const moves = makeDraft(size, size, (i, j) => (i === j ? 1 : j === i + axes ? seconds : 0));
    const sees = makeDraft(axes, size, (i, j) => Number(i === j));
    let [state, doubt] = [drawNormal(random, size, 1), unit(size, 4)];
    for (;;) {
      state = yield { a: moves, b: state };
      const half: DraftMatrix = yield { a: moves, b: doubt };
      doubt = yield { a: half, b: transposeEntries(moves), c: unit(size, 0.01), turned: 'b' };
      const seen: DraftMatrix = yield { a: doubt, b: transposeEntries(sees), turned: 'b' };
      const gain = mapEntries(seen, (x, _, j) => x / (seen.data[j * axes + j] + 0.5));
      const told = addTables(takeBlock(state, [0, axes], [0, 1]), drawNormal(random, axes, 1), 0.7);
      const news = addTables(told, takeBlock(state, [0, axes], [0, 1]), -1);
      state = yield { a: gain, b: news, c: state };
      const kept: DraftMatrix = yield { a: gain, b: sees, c: unit(size), alpha: -1 };
      doubt = yield { a: kept, b: doubt };
      doubt = addTables(multiplyTables(doubt, 0.5), multiplyTables(transposeEntries(doubt), 0.5));
    }
  },
};

const growing: Routine = {
  name: 'growing',
  what: 'A growing basis: the orthogonal part of new columns is added.',
  *steps({ random, data }) {
    for (;;) {
      const [rows, few] = [makeSized(random, 16, 120), makeSized(random, 1, 5)];
      let basis = orthonormalizeColumns(normalizeMagnitude(drawNormal(random, rows, few)));
      while (basis.cols + few <= Math.min(rows, 48)) {
        const fresh = addTables(data(rows, few), drawNormal(random, rows, few));
        const shares: DraftMatrix = yield { a: transposeEntries(basis), b: fresh, turned: 'a' };
        const rest: DraftMatrix = yield { a: basis, b: shares, c: fresh, alpha: -1 };
        const [old, own] = [basis, orthonormalizeColumns(rest)];
        basis = makeDraft(rows, old.cols + few, (i, j) =>
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
