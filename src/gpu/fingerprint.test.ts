import { expect, test } from 'vitest';
import { fingerprint } from './fingerprint.ts';

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
});
