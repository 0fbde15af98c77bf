import { expect, test, vi } from 'vitest';
import { deviceLost, noAdapter, outOfGpuMemory } from '../gpu/messages.ts';
import { formatCase } from '../problem/case.ts';
import type { MeasuredProduct } from './measured-product.ts';
import { errors2011 } from './papers/strassen-2011-errors.ts';
import { listStudyProducts, runStudy, type StudyOptions } from './run-study.ts';

const products = listStudyProducts(errors2011.cells({ pairs: 1 })).slice(0, 4);
const keys = products.map(({ case: value }) => formatCase(value));
const measured = {} as MeasuredProduct;
const lost = () => deviceLost({ kernel: 'k', step: 's', why: 'It fell off.' });

const run = (options: Partial<StudyOptions>) =>
  runStudy({
    products,
    finished: new Map(),
    measure: async () => measured,
    reopen: async () => {},
    stop: () => false,
    ...options,
  });

test('what is finished is not measured again', async () => {
  const measure = vi.fn(async () => measured);
  const { finished } = await run({ finished: new Map([[keys[1], measured]]), measure });
  expect(measure).toHaveBeenCalledTimes(3);
  expect([...finished.keys()].sort()).toEqual([...keys].sort());
});

test('a lost device is opened again, and its product tried once more', async () => {
  const measure = vi.fn(async () => measured).mockRejectedValueOnce(lost());
  const reopen = vi.fn(async () => {});
  const { finished, stopped } = await run({ measure, reopen });
  expect({ size: finished.size, stopped }).toEqual({ size: 4, stopped: undefined });
  expect(reopen).toHaveBeenCalledTimes(1);
});

test('a device that is lost again, or cannot be opened, ends the run with what it has', async () => {
  const measure = () =>
    vi
      .fn(async () => measured)
      .mockResolvedValueOnce(measured)
      .mockRejectedValue(lost());
  const again = await run({ measure: measure() });
  expect(again.finished.size).toBe(1);
  expect(again.stopped).toContain('It fell off.');
  const refused = await run({
    measure: measure(),
    reopen: () => Promise.reject(noAdapter({ found: [], notes: [] })),
  });
  expect(refused.finished.size).toBe(1);
  expect(refused.stopped).toContain('No GPU adapter was found');
});

test('a product that cannot be measured is passed over, and says why', async () => {
  const refusal = outOfGpuMemory({ kernel: 'k', step: 's', why: 'Full.' });
  const onDone = vi.fn(async () => {});
  const { finished, failures } = await run({
    measure: vi.fn(async () => measured).mockRejectedValueOnce(refusal),
    onDone,
  });
  expect(finished.size).toBe(3);
  expect(failures.get(keys[0])).toBe(refusal.message);
  expect(onDone).toHaveBeenCalledTimes(3);
});

test('a run that is stopped says so; a fault of ours is not hidden', async () => {
  let asked = 0;
  const { finished, stopped } = await run({ stop: () => asked++ === 2 });
  expect(finished.size).toBe(2);
  expect(stopped).toContain('stopped');
  await expect(run({ measure: () => Promise.reject(new TypeError('oops')) })).rejects.toThrow('oops');
});
