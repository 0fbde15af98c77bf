import { afterAll, expect, test } from 'vitest';
import { openNodeDevice } from './open.ts';

const device = await openNodeDevice({ adapter: 'software' });
afterAll(() => device.close());

test('a software adapter is found without system packages, and can be mirrored', () => {
  expect(device.fingerprint.kind).toBe('software');
  expect(device.fingerprint.backend).toBe('vulkan');
  expect(device.fingerprint.id).toMatch(/^[a-z0-9._-]+$/);
  expect(device.arithmetic).toMatchObject({ rounding: 'nearest', modeled: true });
});
