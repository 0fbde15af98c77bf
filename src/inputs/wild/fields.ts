import { exp2 } from '../../base/binary64.ts';
import { pickRandom, type Random } from '../../base/random.ts';
import { drawRotation } from '../applications.ts';
import { mapEntries } from '../fitted.ts';
import { type DraftGenerator, type DraftMatrix, drawPower, makeDraft } from './table.ts';

/** Returns numbers one after the other, independent of each other. */
type NumberSource = () => number;

/** A kind of numbers. Its open parameters, such as range and digits, are drawn once. */
type Kind = (random: Random) => NumberSource;

const DIGITS = 4;

const kinds: readonly Kind[] = [
  (random) => {
    const [low, width] = [pickRandom(random, [0, -1, random.uniform(-3, 3)]), drawPower(random, -3, 3)];
    return () => low + width * random.uniform01();
  },
  (random) => {
    const mean = pickRandom(random, [0, 0, random.uniform(-3, 3), random.sign() * drawPower(random, 2, 8)]);
    return () => mean + random.normal();
  },
  (random) => {
    const binades = drawPower(random, -2, 2);
    const signs = random.int(0, 1);
    return () => (signs === 0 ? 1 : random.sign()) * exp2(binades * random.normal());
  },
  // Heavy tails.
  (random) => () => random.normal() * random.normal() * random.normal(),
  (random) => {
    const [low, width] = [
      pickRandom(random, [0, 1, -random.int(1, 300)]),
      Math.round(drawPower(random, 0, 10)),
    ];
    return () => random.int(low, low + width);
  },
  (random) => {
    const unit = 10 ** random.int(1, DIGITS);
    const [mean, spread] = [pickRandom(random, [0, drawPower(random, -3, 7)]), drawPower(random, -3, 7)];
    return () => Math.round((mean + spread * random.normal()) * unit) / unit;
  },
  (random) => {
    const step = drawPower(random, -9, 0);
    return () => step * Math.round(random.normal() / step);
  },
  (random) => {
    const few = Array.from({ length: random.int(2, 9) }, () => random.normal());
    return () => pickRandom(random, few);
  },
  (random) => {
    const share = random.uniform01();
    return () => Number(random.uniform01() < share);
  },
  (random) => () => random.sign(),
  (random) => {
    const [least, most] = [-random.int(0, 8), random.int(0, 8)];
    const signs = random.int(0, 1);
    return () => (signs === 0 ? 1 : random.sign()) * 2 ** random.int(least, most);
  },
  // Counts of words, few of which are frequent.
  (random) => {
    const most = random.int(2, 2000);
    return () => Math.min(most, Math.floor(1 / (random.uniform01() + 2 ** -24)) - 1);
  },
  // As fine as the format: sums of uniform numbers are not.
  (random) => () => random.uniform(-1, 1) * (1 + random.uniform01() / 3),
  (random) => {
    const one = random.normal();
    return () => one;
  },
];

const drawNumberSource = (random: Random): NumberSource => pickRandom(random, kinds)(random);

const independent: DraftGenerator = (rows, cols, random) => {
  const next = drawNumberSource(random);
  return makeDraft(rows, cols, () => next());
};

/** Fills a matrix where each entry keeps a drawn part of its neighbor in the row or in the column. */
const smooth: DraftGenerator = (rows, cols, random) => {
  const made = independent(rows, cols, random);
  const kept = pickRandom(random, [random.uniform01(), 1 - drawPower(random, -10, -2), 1]);
  const step = random.int(0, 1) === 0 ? 1 : cols;
  const { data } = made;
  for (let at = step; at < data.length; at++) {
    if (step !== 1 || at % cols !== 0) data[at] += kept * (data[at - step] - data[at]);
  }
  return made;
};

/** Returns sines along rows and columns, by rotation: engines may round trigonometric functions differently. */
function wave(random: Random): (count: number) => Float64Array {
  const t = drawPower(random, -10, 0);
  const [cos, sin] = [(1 - t * t) / (1 + t * t), (2 * t) / (1 + t * t)];
  return (count) => {
    let [x, y] = [random.uniform(-1, 1), random.uniform(-1, 1)];
    return Float64Array.from({ length: count }, () => {
      [x, y] = [cos * x - sin * y, sin * x + cos * y];
      return x;
    });
  };
}

const waves: DraftGenerator = (rows, cols, random) => {
  const level = pickRandom(random, [0, random.uniform(0, 4)]);
  const noise = pickRandom(random, [0, drawPower(random, -10, -2)]);
  const [down, along] = [wave(random)(rows), wave(random)(cols)];
  const isSum = random.int(0, 1) === 0;
  return makeDraft(rows, cols, (i, j) => {
    const light = isSum ? down[i] + along[j] : down[i] * along[j];
    return level + light + (noise === 0 ? 0 : noise * random.normal());
  });
};

const ramp: DraftGenerator = (rows, cols, random) => {
  const [start, down, along] = [0, 1, 2].map(() => pickRandom(random, [0, 1, random.normal()]));
  const modulus = pickRandom(random, [rows * cols + 1, random.int(2, 100)]);
  return makeDraft(rows, cols, (i, j) => start + ((down * i + along * j) % modulus));
};

/** Returns a product of few columns by few rows, with some noise. */
const lowRank: DraftGenerator = (rows, cols, random) => {
  const rank = random.int(1, 4);
  const [left, right] = [independent(rows, rank, random), independent(rank, cols, random)];
  const noise = pickRandom(random, [0, drawPower(random, -13, -2)]);
  return makeDraft(rows, cols, (i, j) => {
    let sum = noise === 0 ? 0 : noise * random.normal();
    for (let r = 0; r < rank; r++) sum += left.data[i * rank + r] * right.data[r * cols + j];
    return sum;
  });
};

/** Returns one nonzero entry a row, or a diagonal, possibly with small noise. */
const marks: DraftGenerator = (rows, cols, random) => {
  const isDiagonal = random.int(0, 1) === 0;
  const next = pickRandom(random, [() => 1, drawNumberSource(random)]);
  const beside = pickRandom(random, [0, 0, drawPower(random, -13, -2)]);
  const made = makeDraft(rows, cols, () => (beside === 0 ? 0 : beside * random.normal()));
  for (let i = 0; i < rows && cols > 0; i++) {
    made.data[i * cols + (isDiagonal ? i % cols : random.int(0, cols - 1))] += next();
  }
  return made;
};

/** Repeats rows out of few. */
const repeated: DraftGenerator = (rows, cols, random) => {
  const few = Math.min(rows, Math.round(drawPower(random, 0, 4)));
  const own = drawField(few, cols, random);
  const pick = Array.from({ length: rows }, () => random.int(0, few - 1));
  return makeDraft(rows, cols, (i, j) => own.data[pick[i] * cols + j]);
};

/** Returns constant blocks. */
const blocks: DraftGenerator = (rows, cols, random) => {
  const size = random.int(1, 9);
  const next = drawNumberSource(random);
  const width = Math.ceil(cols / size);
  const all = Float64Array.from({ length: width * Math.ceil(rows / size) }, () => next());
  return makeDraft(rows, cols, (i, j) => all[Math.floor(i / size) * width + Math.floor(j / size)]);
};

const twoKinds: DraftGenerator = (rows, cols, random) => {
  const [one, other] = [drawField(rows, cols, random), drawField(rows, cols, random)];
  const [row, col] = [random.int(0, rows), random.int(0, cols)];
  const isOther = pickRandom<(i: number, j: number) => boolean>(random, [
    (i) => i >= row,
    (_, j) => j >= col,
    (i, j) => (i + j) % 2 === 0,
  ]);
  mapEntries(one, (x, i, j) => (isOther(i, j) ? other.data[i * cols + j] : x));
  return one;
};

/** Returns powers of one number for each row, as in polynomials. */
const powers: DraftGenerator = (rows, cols, random) => {
  let [point, own] = [0, 1];
  return makeDraft(rows, cols, (_, j) => {
    if (j === 0) [point, own] = [random.uniform(-1, 1), 1];
    else own *= point;
    return own;
  });
};

const MOST_AXES = 48;
/** Returns orthonormal rows or columns, up to a number of axes, and whole rotations. */
const turns: DraftGenerator = (rows, cols, random) => {
  const axes = Math.max(1, Math.min(rows, cols, MOST_AXES));
  const all = drawRotation(axes, random);
  return makeDraft(rows, cols, (i, j) => all[(i % axes) * axes + (j % axes)]);
};

/** Returns symmetric positive matrices, as covariances are, and kernels of distances. */
const covariances: DraftGenerator = (rows, cols, random) => {
  const terms = random.int(1, 6);
  const count = Math.max(rows, cols);
  const { data } = independent(count, terms, random);
  const isDistance = random.int(0, 2) === 0;
  return makeDraft(rows, cols, (i, j) => {
    let sum = 0;
    for (let p = 0; p < terms; p++) {
      const [x, y] = [data[i * terms + p], data[j * terms + p]];
      sum += isDistance ? (x - y) ** 2 : x * y;
    }
    return isDistance ? 1 / (1 + sum) : sum;
  });
};

/** Structures of a matrix before changes. Independent numbers are the most frequent. */
const fields: readonly DraftGenerator[] = [
  ...[independent, independent, independent, independent, smooth, waves, ramp, lowRank, marks],
  ...[repeated, blocks, twoKinds, powers, turns, covariances],
];

export function drawField(rows: number, cols: number, random: Random): DraftMatrix {
  return pickRandom(random, fields)(rows, cols, random);
}
