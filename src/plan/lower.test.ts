import { describe, expect, it } from 'vitest';
import { algorithms } from '../algorithms/algorithms.ts';
import { type Group, scheduleOf } from '../algorithms/schedule.ts';
import { liveAfter, lower } from './lower.ts';
import { PRODUCT } from './plan.ts';

const groupsOf = (schedule: string[][]): Group[] => scheduleOf({ ...algorithms[0], schedule });

const lowered = (schedule: string[][], index: number, fused: boolean) => {
  const groups = groupsOf(schedule);
  return lower(groups[index], liveAfter(groups)[index], fused);
};

describe('liveness', () => {
  it('blocks of C are read by the caller, temporaries only by later groups', () => {
    const groups = groupsOf([['T1 = A11 * B11', 'C11 = T1 + A12'], ['C12 = T1 + B12'], ['C11 = C11 + A11']]);
    expect(liveAfter(groups).map((names) => [...names].sort())).toEqual([
      ['A11', 'B12', 'C11', 'T1'],
      ['A11', 'C11', 'C12'],
      ['C11', 'C12'],
    ]);
  });

  it('a block that is overwritten before it is read is not live', () => {
    const groups = groupsOf([['C11 = A11 - A12'], ['C11 = A11 * B11']]);
    expect(liveAfter(groups)[0].has('C11')).toBe(false);
  });
});

describe('a fused product', () => {
  it('that nothing else reads is never stored', () => {
    const { names, loads, stores, updates } = lowered(
      [['C11 = A11 * B11'], ['T1 = A12 * B21', 'C11 = C11 + T1']],
      1,
      true,
    );
    expect(names).toEqual(['C11']);
    expect([[...loads], [...stores]]).toEqual([['C11'], ['C11']]);
    expect(updates).toEqual([
      {
        target: 0,
        terms: [
          { sign: 1, slot: 0 },
          { sign: 1, slot: PRODUCT },
        ],
      },
    ]);
  });

  it('that is read later is stored first', () => {
    const { names, loads, stores, updates } = lowered(
      [['T1 = A12 * B21', 'C11 = A11 - T1'], ['C12 = T1 + A11']],
      0,
      true,
    );
    expect(names).toEqual(['T1', 'A11', 'C11']);
    expect([[...loads], [...stores]]).toEqual([['A11'], ['T1', 'C11']]);
    expect(updates[0]).toEqual({ target: 0, terms: [{ sign: 1, slot: PRODUCT }] });
    expect(updates[1].terms[1]).toEqual({ sign: -1, slot: PRODUCT });
  });

  it('overwritten in its own group ends where it is assigned', () => {
    const { names, updates } = lowered([['C21 = A22 * B21', 'C21 = C11 - C21', 'C22 = C21 + C11']], 0, true);
    expect(names).toEqual(['C11', 'C21', 'C22']);
    expect(updates.map(({ terms }) => terms.map(({ slot }) => slot))).toEqual([
      [0, PRODUCT],
      [1, 0],
    ]);
  });
});

describe('a product of a recursive call', () => {
  it('is a block like any other', () => {
    const { names, loads, updates } = lowered([['T1 = A12 * B21', 'C11 = A11 - T1']], 0, false);
    expect(names).toEqual(['A11', 'T1', 'C11']);
    expect([...loads]).toEqual(['A11', 'T1']);
    expect(updates).toHaveLength(1);
  });
});

it('a block assigned twice in a group is loaded and stored once', () => {
  const schedule = [
    ['C11 = A11 * B11'],
    ['T1 = A12 * B11', 'C11 = C11 + T1', 'C12 = C11 + A11', 'C11 = C11 - A11'],
  ];
  const { names, loads, stores } = lowered(schedule, 1, true);
  expect(names).toEqual(['C11', 'A11', 'C12']);
  expect([...loads]).toEqual(['C11', 'A11']);
  expect([...stores].sort()).toEqual(['C11', 'C12']);
});

it('a sum that nothing reads is an error of the schedule', () => {
  expect(() => lowered([['T1 = A11 + A12'], ['C11 = A11 * B11']], 0, true)).toThrow(
    /assigns T1 but nothing reads it/,
  );
});
