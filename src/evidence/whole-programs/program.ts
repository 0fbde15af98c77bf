import { createRandom, pickRandom, type Random } from '../../base/random.ts';
import { type DraftMatrix, drawPower, makeDraft } from '../../inputs/wild/table.ts';
import { arranging } from './arranging.ts';
import { iterating } from './iterating.ts';
import { learning } from './learning.ts';
import { type RequestedProduct, type Routine, type RoutineSources, TOGETHER } from './routine.ts';
import {
  angle,
  applyLayerNorm,
  applyRelu,
  drawNormal,
  drawWeights,
  makeSized,
  normalizeMagnitude,
} from './tables.ts';

/** The routines of which programs consist. */
export const routines: readonly Routine[] = [...learning, ...iterating, ...arranging];

/** A product of a program, and the routine that requests it. */
export interface ProgramStep {
  readonly wanted: RequestedProduct;
  readonly routine: string;
}

/** Random streams that no family draws from: one for programs, one for the order that some of them share. */
const [STREAM, ORDERS] = [3003, 3005];

function orderOf(seed: number): Routine[] {
  const order = [...createRandom(Math.floor(seed / TOGETHER), ORDERS).permutation(routines.length)];
  const first = Math.floor(((seed % TOGETHER) * order.length) / TOGETHER);
  return order.map((_, at) => routines[order[(first + at) % order.length]]);
}

/** The most products before the large one with which most programs begin; one program in five has no large one. */
const [BEFORE_LARGE, WITHOUT] = [2, 5];
/** Range of the products of a routine in a row, as powers of two. */
const IN_A_ROW = [4.2, 6.2] as const;
/** One pair of routines in four alternates. */
const ALTERNATING = 4;

/** A routine in progress, which continues where it stopped. */
interface Begun {
  readonly name: string;
  next(): RequestedProduct | undefined;
  told(answer: DraftMatrix): void;
}

function begun({ name, steps }: Routine, desk: RoutineSources): Begun {
  const own = steps(desk);
  let [next, isOver] = [own.next(), false];
  let pending: DraftMatrix | undefined;
  return {
    name,
    next() {
      if (pending !== undefined) next = own.next(pending);
      [pending, isOver] = [undefined, next.done === true];
      return isOver ? undefined : (next.value as RequestedProduct);
    },
    told: (answer) => {
      pending = answer;
    },
  };
}

/** Generates the program of a seed. It has no end, and no product depends on how many are taken. */
export function* generateProgram(seed: number): Generator<ProgramStep, void, DraftMatrix> {
  const random = createRandom(seed, STREAM);
  let last: DraftMatrix | undefined;
  const desk: RoutineSources = { random, data: (rows, cols) => drawInitialData(rows, cols, random, last) };
  function* some(one: Begun, count: number): Generator<ProgramStep, void, DraftMatrix> {
    for (let made = 0; made < count; made++) {
      const wanted = one.next();
      if (wanted === undefined) return;
      last = yield { wanted, routine: one.name };
      one.told(last);
    }
  }
  const order = orderOf(seed);
  let one = begun(order[0], desk);
  yield* some(one, random.int(0, BEFORE_LARGE));
  if (random.int(1, WITHOUT) > 1) yield* some(begun(opening, desk), Number.POSITIVE_INFINITY);
  for (let at = 1; ; at++) {
    const other = begun(order[at % order.length], desk);
    const count = inARow(random);
    if (random.int(1, ALTERNATING) > 1) yield* some(one, count);
    else {
      for (let made = 0; made < count; made += 3) {
        yield* some(one, random.int(1, 2));
        yield* some(other, random.int(1, 2));
      }
    }
    one = other;
  }
}

const inARow = (random: Random): number => Math.round(2 ** random.uniform(...IN_A_ROW));

/** The most multiplications of a program's first product. */
const MOST = 2 ** 22;

/** One large product before the small ones, as programs read their data first. It ends. */
const opening: Routine = {
  name: 'opening',
  what: 'All data times a large matrix, and the result times a small one.',
  *steps({ random, data }) {
    const [width, wide] = [makeSized(random, 64, 512), makeSized(random, 32, 256)];
    const rows = Math.floor((MOST * random.uniform(0.3, 1)) / (width * wide));
    const made: DraftMatrix = yield { a: data(rows, width), b: drawWeights(random, width, wide) };
    const next = random.int(0, 1) === 0 ? applyRelu(made) : applyLayerNorm(made);
    yield { a: next, b: drawWeights(random, wide, makeSized(random, 2, 24)) };
  },
};

type Making = (rows: number, cols: number, random: Random) => DraftMatrix;

const standard: Making = (rows, cols, random) => drawNormal(random, rows, cols, drawPower(random, -2, 2));
const measured: Making = (rows, cols, random) => {
  const levels = Array.from({ length: cols }, () => 3 * random.normal());
  return makeDraft(rows, cols, (_, j) => levels[j] + random.normal());
};
const bytes: Making = (rows, cols, random) => makeDraft(rows, cols, () => random.int(0, 255) / 255);
const activated: Making = (rows, cols, random) => applyRelu(drawNormal(random, rows, cols));
/** Makes a wave in each column, with a little noise. */
const waves: Making = (rows, cols, random) => {
  const made = makeDraft(rows, cols, () => 0.1 * random.normal());
  for (let j = 0; j < cols; j++) {
    const [cos, sin] = angle(drawPower(random, -6, 0));
    let [x, y] = [random.normal(), random.normal()];
    for (let i = 0; i < rows; i++) {
      [x, y] = [cos * x - sin * y, sin * x + cos * y];
      made.data[i * cols + j] += x;
    }
  }
  return made;
};

const makings: readonly Making[] = [standard, standard, measured, bytes, activated, waves];

/** One matrix in three is made from the last result. */
const AGAIN = 3;

/** Makes the initial data of programs: numbers of one kind, or the last result, scaled to the usual size and with a little noise. */
export function drawInitialData(
  rows: number,
  cols: number,
  random: Random,
  last: DraftMatrix | undefined,
): DraftMatrix {
  if (last === undefined || last.data.length === 0 || random.int(1, AGAIN) > 1)
    return pickRandom(random, makings)(rows, cols, random);
  const { rows: height, cols: width, data } = normalizeMagnitude(last);
  const entry = (i: number, j: number) => data[(i % height) * width + (j % width)];
  return makeDraft(rows, cols, (i, j) => entry(i, j) + 0.1 * random.normal());
}
