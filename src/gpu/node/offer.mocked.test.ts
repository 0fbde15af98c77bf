import { expect, test } from 'vitest';
import { offerGpu } from './offer.ts';

const offered = await offerGpu({ adapter: 'software' });
const { navigator } = globalThis as unknown as { navigator: NavigatorGPU & { userAgent: string } };

test('libraries find navigator.gpu, and who they run on', async () => {
  expect(navigator.userAgent).toMatch(/^Node\.js\/\d+/);
  const adapter = await navigator.gpu.requestAdapter();
  expect(adapter?.info.description).toMatch(/swiftshader|llvmpipe/i);
  expect(await offerGpu({ adapter: 'no such adapter' })).toBe(offered);
});

test('what a device reports is heard once, and shared memory is written', async () => {
  const device = await (await navigator.gpu.requestAdapter())!.requestDevice();
  const buffer = device.createBuffer({ size: 8, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  const memory = new SharedArrayBuffer(16);
  new Uint8Array(memory).set([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  device.queue.writeBuffer(buffer, 0, new Uint8Array(memory, 1, 4));
  device.queue.writeBuffer(buffer, 4, memory, 5, 4);
  await buffer.mapAsync(GPUMapMode.READ);
  expect([...new Uint8Array(buffer.getMappedRange())]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  buffer.unmap();
  expect(offered.takeErrors()).toEqual([]);

  device.createBuffer({ size: 8, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE });
  await device.queue.onSubmittedWorkDone();
  expect(offered.takeErrors()).toEqual([expect.stringContaining('usage')]);
  expect(offered.takeErrors()).toEqual([]);
  device.destroy();
});
