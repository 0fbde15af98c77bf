import { describe, expect, it, vi } from 'vitest';
import { builtinItems } from '../../evidence/items.ts';
import type { KernelSession } from '../../kernels/kernel.ts';
import type { FunctionKernel } from '../../kernels/user-kernel.ts';
import { makeRunCatalog } from '../../run/run-catalog.ts';
import { StartedAhead } from './start-ahead.ts';

const spec: FunctionKernel = { name: 'mine', multiply: () => new Float32Array() };
const one = { count: 1, module: new URL('file:///none.js'), args: {} };

function begun() {
  const session = { run: vi.fn(), close: vi.fn(async () => {}), versions: vi.fn(async () => ({})) };
  return { session, sessionOf: (): KernelSession => session, catalog: makeRunCatalog([spec], builtinItems) };
}

it('hands out the begun session once, and leaves its end to the one who took it', async () => {
  const ahead = new StartedAhead();
  const { session, sessionOf, catalog } = begun();
  await ahead.begin([spec], { catalog, sessionOf }, one);
  expect(session.versions).toHaveBeenCalledOnce();
  const another: KernelSession = { run: vi.fn() };
  const open = ahead.sessionOf(() => another);
  const device = () => {
    throw new Error('No device.');
  };
  const precision = catalog.precisions.find('f32');
  expect(await open(spec, device, precision)).toBe(session);
  expect(await open(spec, device, precision)).toBe(another);
  ahead.end();
  expect(session.close).not.toHaveBeenCalled();
});

it('ends the session that nobody took', async () => {
  const ahead = new StartedAhead();
  const { session, ...options } = begun();
  await ahead.begin([spec], options, one);
  ahead.end();
  expect(session.close).toHaveBeenCalledOnce();
});

describe('processes that judge', () => {
  const kill = vi.fn();
  const two = { ...one, count: 2 };
  const begunJobs = async () => {
    const ahead = new StartedAhead((wanted) => ({ count: wanted.count, next: vi.fn(), kill }));
    await ahead.begin([], begun(), two);
    return ahead;
  };

  it('are handed out once, where as many are wanted', async () => {
    const ahead = await begunJobs();
    expect(ahead.takeJobs(two)?.count).toBe(2);
    expect(ahead.takeJobs(two)).toBeUndefined();
    ahead.end();
    expect(kill).not.toHaveBeenCalled();
  });

  it.each(['other numbers are wanted', 'nobody takes them'])('end where %s', async (why) => {
    kill.mockClear();
    const ahead = await begunJobs();
    if (why === 'other numbers are wanted') expect(ahead.takeJobs({ ...one, count: 3 })).toBeUndefined();
    else ahead.end();
    expect(kill).toHaveBeenCalledOnce();
  });
});
