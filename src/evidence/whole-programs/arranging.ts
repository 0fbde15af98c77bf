import { type DraftMatrix, drawPower, makeDraft } from '../../inputs/wild/table.ts';
import type { Routine } from './routine.ts';
import {
  addTables,
  angle,
  drawNormal,
  makeSized,
  mapEntries,
  multiplyTables,
  normalizeMagnitude,
  normalizeRows,
  stackTables,
  takeBlock,
  takeRows,
  transposeEach,
  transposeEntries,
  unit,
} from './tables.ts';

/** Both factorizations leave a smaller square, from which the next strip is taken. */
const factorising: Routine = {
  name: 'factorising',
  what: 'Updates of the remaining, ever smaller block (LU, Cholesky).',
  *steps({ random, data }) {
    for (;;) {
      const [size, strip] = [makeSized(random, 24, 112), makeSized(random, 3, 16)];
      const isSymmetric = random.int(0, 1) === 0;
      const begun = data(size, size);
      const even = isSymmetric ? addTables(begun, transposeEntries(begun)) : begun;
      let rest = addTables(multiplyTables(even, 0.5), unit(size, 4 * size));
      while (rest.rows > strip) {
        const left = rest.rows - strip;
        const pivots = takeBlock(rest, [0, strip], [0, strip]);
        const lower = mapEntries(
          takeBlock(rest, [strip, left], [0, strip]),
          (x, _, j) => x / pivots.data[j * (strip + 1)],
        );
        const upper = isSymmetric
          ? transposeEntries(mapEntries(lower, (x, _, j) => x * pivots.data[j * (strip + 1)]))
          : takeBlock(rest, [0, strip], [strip, left]);
        rest = yield {
          ...{ a: lower, b: upper, c: takeBlock(rest, [strip, left], [strip, left]), alpha: -1 },
          ...{ turned: isSymmetric ? 'b' : undefined, isBlock: true },
        };
      }
    }
  },
};

/** Returns a rotation about one axis with a translation. */
const frame = (axis: number, t: number, move: readonly number[]): DraftMatrix => {
  const [cos, sin] = angle(t);
  const [p, q] = [(axis + 1) % 3, (axis + 2) % 3];
  return makeDraft(4, 4, (i, j) => {
    if (j === 3) return i === 3 ? 1 : move[i];
    if (i === j) return i === p || i === q ? cos : 1;
    return i === p && j === q ? -sin : i === q && j === p ? sin : 0;
  });
};

const drawing: Routine = {
  name: 'drawing',
  what: '4×4 transforms of joints, models and a camera, sometimes of the points of a mesh.',
  *steps({ random }) {
    const mesh = makeDraft(4, makeSized(random, 8, 400), (i) => (i === 3 ? 1 : 2 * random.normal()));
    const wide = random.uniform(0.8, 2);
    const camera = makeDraft(4, 4, (i, j) => {
      if (i === j) return [wide, 1.25 * wide, -1.002002, 0][i];
      return i === 2 && j === 3 ? -0.2002002 : i === 3 && j === 2 ? -1 : 0;
    });
    const scale = makeDraft(4, 4, (i, j) => (i === j ? (i < 3 ? random.uniform(0.5, 2) : 1) : 0));
    for (let picture = 0; ; picture++) {
      let arm: DraftMatrix = yield { a: frame(0, 0.05 * picture, [0, 0.5, -5]), b: scale };
      for (let joint = random.int(1, 6); joint > 0; joint--) {
        const axis = random.int(0, 2);
        const bend = frame(axis, random.uniform(-1, 1), [0.3, 0, random.uniform01()]);
        arm = yield { a: arm, b: bend };
      }
      const seen: DraftMatrix = yield { a: frame(1, 0.1, [0, -1, 0]), b: arm };
      const shown: DraftMatrix = yield { a: camera, b: seen };
      if (picture % 3 === 0) yield { a: shown, b: mesh };
    }
  },
};

const meshing: Routine = {
  name: 'meshing',
  what: 'BᵀDB of small finite elements, one by one or in batches.',
  *steps({ random }) {
    const [stiff, aside] = [drawPower(random, -2, 8), random.uniform(0.1, 0.4)];
    const law = makeDraft(
      3,
      3,
      (i, j) => stiff * (i === j ? (i === 2 ? (1 - aside) / 2 : 1) : i < 2 && j < 2 ? aside : 0),
    );
    const element = () => {
      const [x, y] = [0, 1].map(() => Array.from({ length: 3 }, () => random.normal()));
      return makeDraft(3, 6, (i, j) => {
        const [node, isAcross] = [j >> 1, j % 2 === 1];
        const [next, last] = [(node + 1) % 3, (node + 2) % 3];
        const [down, along] = [y[next] - y[last], x[last] - x[next]];
        return i === 2 ? (isAcross ? down : along) : Number(isAcross) === i ? (i === 0 ? down : along) : 0;
      });
    };
    for (;;) {
      const batch = random.int(0, 2) === 0 ? makeSized(random, 2, 24) : 1;
      const all = stackTables(Array.from({ length: batch }, element));
      const strains: DraftMatrix = yield {
        a: stackTables(Array.from({ length: batch }, () => law)),
        b: all,
        batch,
      };
      yield { a: transposeEach(all, batch), b: strains, batch, alpha: 0.5, turned: 'a' };
    }
  },
};

const transforming: Routine = {
  name: 'transforming',
  what: 'A block transform of an image: an orthonormal matrix from both sides, rounding, and back.',
  *steps({ random, data }) {
    const side = random.int(0, 1) === 0 ? 8 : makeSized(random, 3, 24);
    const own = orthonormalWaves(side);
    for (;;) {
      const block = mapEntries(data(side, side), (x) => Math.round(40 * x));
      const half: DraftMatrix = yield { a: own, b: block };
      const waves: DraftMatrix = yield { a: half, b: transposeEntries(own), turned: 'b' };
      const coarse = mapEntries(waves, (x, i, j) => Math.round(x / (4 + i + j)) * (4 + i + j));
      const back: DraftMatrix = yield { a: transposeEntries(own), b: coarse, turned: 'a' };
      yield { a: back, b: own };
    }
  },
};

/** Returns a symmetric and orthonormal matrix of sines of whole numbers of half waves: powers of one turn. */
function orthonormalWaves(side: number): DraftMatrix {
  const sines = Array.from({ length: 2 * (side + 1) }, (_, at) => sineOfTurns(at / (2 * (side + 1))));
  return makeDraft(side, side, (i, j) => {
    const at = ((i + 1) * (j + 1)) % (2 * (side + 1));
    return Math.sqrt(2 / (side + 1)) * sines[at];
  });
}

/** Computes the sine of a part of a full turn, by its series. */
function sineOfTurns(part: number): number {
  const x = 2 * Math.PI * (part > 0.5 ? part - 1 : part);
  let [term, sum] = [x, x];
  for (let n = 1; n < 16; n++) {
    term *= (-x * x) / (2 * n * (2 * n + 1));
    sum += term;
  }
  return sum;
}

const coloring: Routine = {
  name: 'colouring',
  what: '3×3 color transforms of byte images, again and again.',
  *steps({ random }) {
    const own = mapEntries(unit(3, 0.6), (x) => x + random.uniform(-0.3, 0.4));
    for (;;) {
      let picture = makeDraft(makeSized(random, 40, 600), 3, () => random.int(0, 255));
      for (let layer = 0; layer < 3; layer++) {
        const made: DraftMatrix = yield { a: picture, b: transposeEntries(own), turned: 'b' };
        picture = mapEntries(made, (x) => Math.min(255, Math.max(0, Math.sqrt(255 * Math.abs(x)))));
      }
    }
  },
};

const resizing: Routine = {
  name: 'resizing',
  what: 'Sizes that grow step by step, each product from the last result.',
  *steps({ random }) {
    const [step, least] = [random.int(1, 9), random.int(1, 8)];
    for (;;) {
      let last = drawNormal(random, least, least);
      for (let size = least; size <= 72; size += step) {
        const { rows, cols, data } = last;
        const own = makeDraft(size, size, (i, j) => data[(i % rows) * cols + (j % cols)] + random.normal());
        const made: DraftMatrix = yield { a: own, b: drawNormal(random, size, size) };
        last = normalizeMagnitude(made);
      }
    }
  },
};

const crowding: Routine = {
  name: 'crowding',
  what: 'Many products of one small shape, each from the result of its neighbor.',
  *steps({ random }) {
    const [m, k] = [makeSized(random, 2, 12), makeSized(random, 2, 12)];
    for (let state = drawNormal(random, m, k); ; ) {
      const made: DraftMatrix = yield { a: state, b: drawNormal(random, k, k) };
      state = normalizeRows(addTables(made, drawNormal(random, m, k), 0.2));
    }
  },
};

const halving: Routine = {
  name: 'halving',
  what: 'A chain of layers, each with half as many columns, and back.',
  *steps({ random, data }) {
    const [rows, width] = [makeSized(random, 4, 40), 2 ** random.int(4, 7)];
    for (let state = data(rows, width); ; ) {
      for (let cols = width; cols > 4; cols /= 2) {
        const made: DraftMatrix = yield {
          a: state,
          b: drawNormal(random, cols, cols / 2, 1 / Math.sqrt(cols)),
        };
        state = normalizeMagnitude(made);
      }
      for (let cols = state.cols; cols < width; cols *= 2) {
        const made: DraftMatrix = yield {
          a: state,
          b: drawNormal(random, cols, 2 * cols, 1 / Math.sqrt(cols)),
        };
        state = normalizeMagnitude(made);
      }
      state = takeRows(state, 0, rows);
    }
  },
};

/** Routines that factor, assemble and display. */
export const arranging: readonly Routine[] = [
  ...[factorising, drawing, meshing, transforming, coloring, resizing, crowding, halving],
];
