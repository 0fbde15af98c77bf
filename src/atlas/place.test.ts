import { expect, it } from 'vitest';
import { deviceKey, findPlatform, slugOf } from './place.ts';
import { makeTestEntry } from './run.testing.ts';

const entry = makeTestEntry();

/** The adapter as a browser reports it. */
const browser = {
  ...entry.adapter,
  ...{ name: 'unnamed', vendor: 'nvidia', architecture: 'hopper', device: '', driver: '' },
  ...{ backend: 'browser', dawn: 'browser' },
};

it('is what the adapter says', () => {
  expect(findPlatform(entry, entry.kernels[0])).toEqual({
    device: 'SwiftShader Device (Subzero)',
    driver: 'SwiftShader driver 5.0.0 (@sparticuz/chromium 147.0.0)',
    implementation: 'Dawn for Node 0.6.2, vulkan',
  });
});

it('of a browser is its maker, or what whoever added it says', () => {
  expect(findPlatform({ adapter: browser })).toEqual({
    ...{ device: 'nvidia hopper', driver: 'not said', implementation: 'browser' },
  });
  const description = { device: 'NVIDIA H100', driver: '580', implementation: 'Firefox 140 (wgpu)' };
  expect(findPlatform({ adapter: browser, description })).toEqual(description);
});

it('of a program with a device of its own is that', () => {
  const versions = { torch: '2.11.0', CUDA: '13.0', device: 'NVIDIA H200' };
  expect(findPlatform(entry, { versions })).toEqual({
    ...{ device: 'NVIDIA H200', driver: 'not said', implementation: 'CUDA 13.0' },
  });
});

it('has one key however its marks and spaces are written, and names that follow from it alone', () => {
  expect(deviceKey('Intel(R) Xeon(R)  Processor ')).toBe(deviceKey('intel xeon processor'));
  expect(slugOf('a/b', '<c>')).toMatch(/^a-b-c-[0-9a-f]{8}$/);
  expect(slugOf('…')).toMatch(/^[0-9a-f]{8}$/);
  expect(slugOf('a', 'b')).not.toBe(slugOf('a b'));
  expect(slugOf('x'.repeat(500)).length).toBeLessThan(80);
});
