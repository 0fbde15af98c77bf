import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkKernel } from '../../check-kernel.ts';
import { makeKernelCatalog } from '../../kernel-catalog.ts';
import { clientKernels } from './clients.ts';

test('clients are kernels, and a library stands for all of its own', () => {
  for (const kernel of clientKernels) expect(checkKernel(kernel)).toBe(kernel);
  const { expand } = makeKernelCatalog(clientKernels);
  expect(expand('tfjs')).toEqual([
    ...['tfjs:webgpu', 'tfjs:wasm', 'tfjs:cpu'],
    ...['tfjs:webgpu-fused', 'tfjs:wasm-fused', 'tfjs:cpu-fused'],
  ]);
  expect(expand('numpy')).toEqual(['numpy:f32', 'numpy:f64', 'numpy:f16', 'numpy:c32', 'numpy:c64']);
});

test('the program that clients run is there', () => {
  const scripts = clientKernels.flatMap((kernel) => ('program' in kernel ? [kernel.program.command[1]] : []));
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((script) => !existsSync(script))).toEqual([]);
});
