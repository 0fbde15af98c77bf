import { expect, it } from 'vitest';
import { caseOf } from '../../problem/case.ts';
import type { PlannedCase } from '../planned-case.ts';
import { Spending } from '../spending.ts';
import { Hand, type Piece } from './hand.ts';

const cube = (size: number, kernel = 'mine'): PlannedCase => ({
  ...caseOf({ kernel, m: size, k: size, n: size, input: 'uniform' }),
  series: false,
});

/** Nine small cases, and one that takes a hundred times as long as each of them, last. */
const planned = [...Array.from({ length: 9 }, () => cube(64)), cube(300)];

/** A budget of a kernel that takes a nanosecond for a unit of work. */
function measured(seconds: number, options = {}): Spending {
  const budget = new Spending(seconds, options);
  budget.spent([cube(64)], (2 ** 18 + 16 * 3 * 2 ** 12) * 1e-9);
  return budget;
}

/** Returns the places of each piece, in the order in which processes take them. */
async function piecesOf(cases: readonly PlannedCase[], processes: number, budget: Spending) {
  const hand = new Hand(cases, processes, { budget });
  const pieces: number[][] = [];
  for (let piece: Piece | undefined = await hand.next(); piece !== undefined; piece = await hand.next(piece))
    pieces.push([...piece.places]);
  return pieces;
}

it('hands out every case once, a large one alone', async () => {
  const pieces = await piecesOf(planned, 2, new Spending(60));
  expect(pieces.flat()).toEqual([...planned.keys()]);
  expect(pieces.at(-1)).toEqual([9]);
});

it('starts a case that takes as long as all others in the other processes', async () => {
  const [first] = await piecesOf(planned, 4, measured(60));
  expect(first).toEqual([9]);
  // Of several kernels, the longest case of all.
  const [two] = await piecesOf([...planned, cube(260, 'other')], 4, measured(60));
  expect(two).toEqual([9]);
});

it('gives long cases to one process at a time', async () => {
  const hand = new Hand([...planned, cube(290)], 16, { budget: measured(60) });
  const [one, two, three] = [await hand.next(), await hand.next(), await hand.next()];
  expect([one?.places, two?.places[0], three?.places[0]]).toEqual([[9], 0, 1]);
  expect((await hand.next(one))?.places).toEqual([10]);
});

it('gives a long case once to processes that ask while its order is loaded', async () => {
  const cases = [...Array.from({ length: 6 }, () => cube(64)), cube(300), cube(64)];
  const budget = new Spending(60);
  const hand = new Hand(cases, 16, { budget, followsSpeed: () => true });
  for (let at = 0; at < 6; at++) expect((await hand.next())?.places).toEqual([at]);
  budget.spent([cube(64)], (2 ** 18 + 16 * 3 * 2 ** 12) * 1e-9);
  const pieces = await Promise.all([hand.next(), hand.next()]);
  expect(pieces.flatMap((piece) => piece?.places ?? []).toSorted()).toEqual([6, 7]);
});

it('starts it the sooner, the more processes there are', async () => {
  const many = Array.from({ length: 400 }, () => cube(64)).concat(cube(200));
  const placeOf = async (processes: number) =>
    (await piecesOf(many, processes, measured(60))).findIndex(([at]) => at === 400);
  const [two, four, eight, sixteen] = await Promise.all([2, 4, 8, 16].map(placeOf));
  expect(two).toBeGreaterThan(four);
  expect(four).toBeGreaterThan(eight);
  expect(eight).toBeGreaterThanOrEqual(sixteen);
  expect(sixteen).toBe(0);
});

it('leaves cases in their order where others take longer, or no other process works, or it takes too long', async () => {
  const twice = [...planned, ...planned.map(() => cube(290))];
  expect((await piecesOf(twice, 4, measured(60))).flat().slice(0, 9)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect((await piecesOf(planned, 1, measured(60))).flat().at(-1)).toBe(9);
  expect((await piecesOf(planned, 4, measured(60, { most: 0.01 }))).flat().at(-1)).toBe(9);
});
