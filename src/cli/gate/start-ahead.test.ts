import { expect, it, vi } from 'vitest';
import { builtinItems } from '../../evidence/items.ts';
import type { KernelSession } from '../../kernels/kernel.ts';
import type { FunctionKernel } from '../../kernels/user-kernel.ts';
import { makeRunCatalog } from '../../run/run-catalog.ts';
import { StartedAhead } from './start-ahead.ts';

const spec: FunctionKernel = { name: 'mine', multiply: () => new Float32Array() };
const one = { count: 1, module: new URL('file:///none.js'), args: {} };

function begun() {
  const session = { close: vi.fn(async () => {}), versions: vi.fn(async () => ({})) };
  const sessionOf = vi.fn(() => session as unknown as KernelSession);
  return { session, sessionOf, catalog: makeRunCatalog([spec], builtinItems) };
}

it('hands out the begun session once, and leaves its end to the one who took it', async () => {
  const ahead = new StartedAhead();
  const { session, sessionOf, catalog } = begun();
  await ahead.begin([spec], { catalog, sessionOf }, one);
  expect(session.versions).toHaveBeenCalledOnce();
  const another = {} as KernelSession;
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

it('ends what nobody took', async () => {
  const ahead = new StartedAhead();
  const { session, sessionOf, catalog } = begun();
  await ahead.begin([spec], { catalog, sessionOf }, one);
  expect(ahead.takeJobs({ ...one, count: 2 })).toBeUndefined();
  ahead.end();
  expect(session.close).toHaveBeenCalledOnce();
});
