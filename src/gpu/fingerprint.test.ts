import { expect, test } from 'vitest';
import { fingerprint, identifyByMeasurement, implementationOf, isHidden } from './fingerprint.ts';
import type { ProbeAnswer } from './probe/question.ts';

function adapter(info: Partial<GPUAdapterInfo>, features: string[] = []): GPUAdapter {
  const none = { vendor: '', architecture: '', device: '', description: '', isFallbackAdapter: false };
  return { info: { ...none, ...info }, features: new Set(features) } as unknown as GPUAdapter;
}

const h200 = { vendor: 'nvidia', device: 'nvidia-h200', description: 'NVIDIA: 580.159.04' };
const known = { name: 'NVIDIA H200', backend: 'vulkan', dawn: 'webgpu 0.6.2' };

test('the id is readable and filename-safe', () => {
  expect(fingerprint(adapter(h200), known).id).toMatch(/^nvidia_h200-vulkan-webgpu0\.6\.2-[0-9a-f]{8}$/);
  const llvmpipe = { ...known, name: 'llvmpipe (LLVM 15.0.6, 256 bits)' };
  expect(fingerprint(adapter({}), llvmpipe).id).toMatch(/^llvmpipe-vulkan-/);
});

test('the id changes with what decides results, and with nothing else', () => {
  const id = fingerprint(adapter(h200, ['a', 'b']), known).id;
  expect(fingerprint(adapter(h200, ['b']), { ...known, kind: 'hardware' }).id).toBe(id);
  const others = [
    fingerprint(adapter({ ...h200, description: 'NVIDIA: 590.1' }), known),
    fingerprint(adapter(h200), { ...known, dawn: 'webgpu 0.7.0' }),
    fingerprint(adapter(h200), { ...known, toggles: ['vulkan_enable_f16_on_nvidia'] }),
    fingerprint(adapter(h200), { ...known, origin: 'a package 1.0.0' }),
  ].map((other) => other.id);
  expect(new Set([id, ...others]).size).toBe(others.length + 1);
});

test('in a browser, what WebGPU tells is all there is', () => {
  const { name, kind, backend } = fingerprint(adapter({ vendor: 'apple', isFallbackAdapter: true }), {});
  expect({ name, kind, backend }).toEqual({ name: 'apple', kind: 'software', backend: 'browser' });
  expect(fingerprint(adapter({ vendor: 'nvidia', architecture: 'hopper' }), {}).name).toBe('nvidia hopper');
});

test('one that hides what it is has what was measured in its id, and its browser', () => {
  expect([isHidden(adapter({ vendor: 'google' })), isHidden(adapter(h200))]).toEqual([true, false]);
  const of = (measured: string, dawn: string) => fingerprint(adapter({}), { measured, dawn });
  const one = of('0badcafe', 'firefox 153 (wgpu)');
  expect(one).toMatchObject({ name: 'unnamed', driver: 'measured as 0badcafe' });
  expect(one.id).toMatch(/^unnamed-browser-firefox153_wgpu-[0-9a-f]{8}$/);
  const ids = [one, of('0badcaff', 'firefox 153 (wgpu)'), of('0badcafe', 'chromium 153 (Dawn)')].map(
    ({ id }) => id,
  );
  expect(new Set(ids).size).toBe(3);
});

test('what was measured follows from answers and limits, in whatever order these come', () => {
  const answer = (text: string): ProbeAnswer => ({
    ...{ id: 'f32.add', group: '', question: '', promise: '', standing: 'ieee' },
    answer: text,
  });
  const limits = (more: object) => more as GPUSupportedLimits;
  const one = identifyByMeasurement([answer('once')], limits({ a: 1, b: 2 }));
  expect(one).toMatch(/^[0-9a-f]{8}$/);
  expect(identifyByMeasurement([answer('once')], limits({ b: 2, a: 1 }))).toBe(one);
  expect(identifyByMeasurement([answer('twice')], limits({ a: 1, b: 2 }))).not.toBe(one);
  expect(identifyByMeasurement([answer('once')], limits({ a: 1, b: 3 }))).not.toBe(one);
});

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'firefox 153 (wgpu)'],
  [`${CHROME} HeadlessChrome/147.0.7727.0 Safari/537.36`, 'chromium 147 (Dawn)'],
  [`${CHROME} Chrome/147.0.0.0 Safari/537.36 Edg/147.0.0.0`, 'edge 147 (Dawn)'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'safari 26 (WebKit)',
  ],
  ['Deno/2.9.6', 'deno 2.9.6 (wgpu)'],
  ['Node.js/22', undefined],
  [undefined, undefined],
])('%s has %s', (userAgent, implementation) => {
  expect(implementationOf(userAgent)).toBe(implementation);
});
