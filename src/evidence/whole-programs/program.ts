import { createRandom, type Random } from '../../base/random.ts';
import type { DraftMatrix } from '../../inputs/wild/table.ts';
import { arranging } from './arranging.ts';
import { drawInitialData } from './data.ts';
import { iterating } from './iterating.ts';
import { learning } from './learning.ts';
import { opening } from './opening.ts';
import type { RequestedProduct, Routine, RoutineSources } from './routine.ts';
import { TOGETHER } from './together.ts';

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
