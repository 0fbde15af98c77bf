import { expect, test } from 'vitest';
import { EXIT } from '../base/errors.ts';
import { createGpu } from './node/dawn.ts';
import { openNodeDevice } from './node/open.ts';
import { openAdapter } from './open.ts';

test('no adapter is a problem that says so', async () => {
  await expect(openAdapter(null)).rejects.toMatchObject({ code: 'no-adapter', exitCode: EXIT.noAdapter });
});

test('a device has all the limits and features of its adapter', async () => {
  const open = await openNodeDevice({ adapter: 'software' });
  expect([...open.device.features].sort()).toEqual(open.fingerprint.features);
  // WebGPU's default would be 256 MiB.
  expect(open.limits.maxBufferSize).toBeGreaterThan(2 ** 29);
  expect(open.lostReason()).toBeUndefined();
  open.close();
  await open.device.lost;
  expect(open.lostReason()).toBeDefined();
});

test('the null backend is refused', async () => {
  const adapter = await createGpu(['backend=null']).requestAdapter();
  await expect(openAdapter(adapter)).rejects.toMatchObject({ code: 'computes-nothing' });
});
