import { expect, it } from 'vitest';
import { caseOf, changeCase } from '../../problem/case.ts';
import type { PlannedCase } from '../planned-case.ts';
import type { MeasuredSpeed } from '../spending.ts';
import { usualSpeed } from './case-order.ts';
import { CaseQueue } from './case-queue.ts';
import { learnedOrder } from './learned-order.ts';

const cube = (size: number, kernel = 'mine', repeats = 1): PlannedCase => ({
  ...changeCase(caseOf({ kernel, m: size, k: size, n: size, input: 'uniform' }), { repeats }),
  series: false,
});
const { judge } = learnedOrder;
const usual: MeasuredSpeed = {
  call: judge.case + judge.call + usualSpeed.call,
  work: judge.work + usualSpeed.product,
};

/** Returns the places in the order in which a queue gives them, its kernels as fast as told. */
async function placesOf(planned: readonly PlannedCase[], speed: MeasuredSpeed, follows = true) {
  const queue = new CaseQueue(planned, {
    budget: { speedOf: () => speed },
    followsSpeed: (kernel) => follows && kernel === 'mine',
  });
  const places: number[] = [];
  for (let at = await queue.next(); at !== undefined; at = await queue.next()) places.push(at);
  return places;
}

const inOrder = (planned: readonly PlannedCase[]) => [...planned.keys()];

/** Six small products, then large ones and repetitions of small ones in turn. */
const mixed = [
  ...Array.from({ length: 6 }, (_, at) => cube(4 + at)),
  ...Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? cube(200 + at) : cube(20 + at, 'mine', 50))),
];

it('keeps the order of the plan for a kernel of usual speed, and for one whose order is fixed', async () => {
  expect(await placesOf(mixed, usual)).toEqual(inOrder(mixed));
  expect(await placesOf(mixed, { call: 2, work: 1e-9 }, false)).toEqual(inOrder(mixed));
  expect(await placesOf(mixed, { call: 0, work: 0 })).toEqual(inOrder(mixed));
  expect(await placesOf(mixed, { call: 8 * usual.call, work: 8 * usual.work })).toEqual(inOrder(mixed));
});

it('gives a kernel of slow calls what repeats them last, and one slow in multiplications large products', async () => {
  const isLarge = (at: number) => at >= 6 && at % 2 === 0;
  const slowCalls = await placesOf(mixed, { ...usual, call: 5 });
  expect(slowCalls.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(slowCalls.slice(6, 10).every(isLarge)).toBe(true);
  const slowProducts = await placesOf(mixed, { ...usual, work: 1e-4 });
  expect(slowProducts.slice(10).every(isLarge)).toBe(true);
  expect(slowProducts.toSorted((x, y) => x - y)).toEqual(inOrder(mixed));
});

it('lets kernels take turns as planned, each with a single product first', async () => {
  const planned = [cube(9, 'mine', 3), cube(9, 'other', 3), cube(5), cube(5, 'other'), cube(6)];
  expect(await placesOf(planned, usual)).toEqual([2, 3, 4, 1, 0]);
});

it('shows the next cases without taking them', async () => {
  const planned = [cube(4), cube(4, 'other'), cube(5)];
  const queue = new CaseQueue(planned, { budget: { speedOf: () => usual } });
  expect(queue.ahead(2)).toEqual([planned[0], planned[1]]);
  await queue.next();
  expect(queue.ahead(9)).toEqual([planned[1], planned[2]]);
});
