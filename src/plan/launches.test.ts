import { expect, test } from 'vitest';
import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithms } from '../algorithms/algorithms.ts';
import { scheduleValuesOf } from '../algorithms/notation.ts';
import { type LoweredLaunch, lowerLaunches } from './launches.ts';
import { placeValues } from './places.ts';
import { PRODUCT } from './plan.ts';

const classical = algorithms[0];

/** Lowers the launches of lines for square blocks of 64 entries, with values at the places of the schedule. */
function lowered(schedule: string[][], inRegisters: boolean): LoweredLaunch[] {
  const algorithm: Algorithm = { ...classical, schedule };
  const values = scheduleValuesOf(algorithm);
  const sizes = { A: 64, B: 64, C: 64 };
  const launches = values.groups;
  const placing = { values, launches, sizes, columns: 2, inner: 2, start: 0, inRegisters, free: false };
  return lowerLaunches(placing, placeValues(placing));
}

const names = ({ launched: { held, level } }: LoweredLaunch) =>
  held.map((value) => level.values.all[value].written);
const loads = (launch: LoweredLaunch) => names(launch).filter((_, at) => launch.slots[at].load);
const stores = (launch: LoweredLaunch) => names(launch).filter((_, at) => launch.slots[at].store);

test('a product that nothing else reads is never stored', () => {
  const launch = lowered([['C11 = A11 * B11'], ['T1 = A12 * B21', 'C11 = C11 + T1']], true)[1];
  expect([names(launch), loads(launch), stores(launch)]).toEqual([['C11'], ['C11'], ['C11']]);
  const terms = [
    { factor: 1, slot: 0 },
    { factor: 1, slot: PRODUCT },
  ];
  expect(launch.updates).toEqual([{ target: 0, terms }]);
  expect(launch.product?.z).toBeUndefined();
});

test('one that is read later is stored first', () => {
  const [launch] = lowered([['T1 = A12 * B21', 'C11 = A11 - 2*T1'], ['C12 = T1 + A11']], true);
  expect([names(launch), loads(launch), stores(launch)]).toEqual([
    ['T1', 'A11', 'C11'],
    ['A11'],
    ['T1', 'C11'],
  ]);
  expect(launch.updates[0]).toEqual({ target: 0, terms: [{ factor: 1, slot: PRODUCT }] });
  expect(launch.updates[1].terms[1]).toEqual({ factor: -2, slot: PRODUCT });
});

test('one that is overwritten in its own launch ends where its name is assigned', () => {
  const [, launch] = lowered(
    [['C11 = A11 - A12'], ['C21 = A22 * B21', 'C21 = C11 - C21', 'C22 = C21 + C11']],
    true,
  );
  expect(names(launch)).toEqual(['C11', 'C21', 'C22']);
  expect(launch.updates.map(({ terms }) => terms.map(({ slot }) => slot))).toEqual([
    [0, PRODUCT],
    [1, 0],
  ]);
});

test('that of a recursive call is a block like any other', () => {
  const [launch] = lowered([['T1 = A12 * B21', 'C11 = A11 - T1']], false);
  expect([names(launch), loads(launch)]).toEqual([
    ['A11', 'T1', 'C11'],
    ['A11', 'T1'],
  ]);
  expect(launch.product?.z).toMatchObject({ at: { buffer: 'W' } });
});

test('a block assigned twice in a launch is loaded and stored once', () => {
  const lines = ['T1 = A12 * B11', 'C11 = C11 + T1', 'C12 = C11 + A11', 'C11 = C11 - A11'];
  const launch = lowered([['C11 = A11 * B11'], lines], true)[1];
  expect([names(launch), loads(launch)]).toEqual([
    ['C11', 'A11', 'C12'],
    ['C11', 'A11'],
  ]);
  expect(stores(launch)).toEqual(['C11', 'C12']);
});
