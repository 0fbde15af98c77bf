import { expect, it } from 'vitest';
import { type Batch, batchId, batchKey, halvesOf, type WorkFacts } from './work.ts';

const about: WorkFacts = { sources: 'a', thresholds: { sigmas: 6, drift: 2 }, seed: 1, budget: 60 };
const cases = Array.from({ length: 9 }, (_, at) => ({ case: `case ${at}` }));
const places = [0, 2, 4, 5, 8];

it('follow from all that decides results, and from nothing else', async () => {
  const id = await batchId(about, cases, { places });
  expect(id).toMatch(/^[0-9a-f]{64}$/);
  const moved = [...cases.slice(1), cases[0]];
  expect(await batchId(about, moved, { places: places.map((at) => (at + 8) % 9) })).toBe(id);
  const others = await Promise.all([
    batchId({ ...about, sources: 'b' }, cases, { places }),
    batchId({ ...about, thresholds: { sigmas: 7, drift: 2 } }, cases, { places }),
    batchId({ ...about, thresholds: { sigmas: 6, drift: 3 } }, cases, { places }),
    batchId({ ...about, budget: undefined }, cases, { places }),
    batchId(about, cases, { places: places.slice(1) }),
    batchId(about, cases.with(2, { ...cases[2], series: true } as never), { places }),
    batchId(about, cases.with(2, { ...cases[2], after: ['x'] } as never), { places }),
    batchId(about, cases, { inspect: { kernel: 'mine', precision: 'f32' } }),
  ]);
  expect(new Set([id, ...others]).size).toBe(9);
  expect(await batchKey(id, 'one')).not.toBe(await batchKey(id, 'other'));
});

it('are halved down to single cases, the same for everybody', async () => {
  const whole: Batch = { id: await batchId(about, cases, { places }), places, seconds: 10 };
  const [one, other] = await halvesOf(whole, about, cases);
  expect([one.places, other.places]).toEqual([
    [0, 2, 4],
    [5, 8],
  ]);
  expect(one.seconds + other.seconds).toBe(10);
  expect(one.id).toBe(await batchId(about, cases, { places: [0, 2, 4] }));
  const [, single] = await halvesOf(other, about, cases);
  expect(await halvesOf(single, about, cases)).toEqual([]);
  const inspection: Batch = { id: 'x', seconds: 1, inspect: { kernel: 'mine', precision: 'f32' } };
  expect(await halvesOf(inspection, about, cases)).toEqual([]);
});
