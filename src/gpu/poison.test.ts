import { expect, test } from 'vitest';
import { readMapped } from './errors.ts';
import { GUARD, GUARDS, POISON } from './guards.ts';
import { openNodeDevice } from './node/open.ts';
import { poison } from './poison.ts';

test.each([1, 2] as const)('of %d words an entry lies between guards, in every chunk', async (words) => {
  const open = await openNodeDevice({ adapter: 'software' });
  const inside = words * 2500;
  const size = 4 * (inside + 2 * words * GUARDS);
  const { device } = open;
  const buffer = device.createBuffer({ size, usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  poison(device, buffer, words, 4096);
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
  device.queue.submit([encoder.finish()]);
  const found = new Uint32Array(await readMapped(open, staging, { kernel: 'none', step: 'reading' }));
  const isWrong = (word: number, at: number) =>
    word !== (at < words * GUARDS || at >= words * GUARDS + inside ? GUARD : POISON);
  expect(found.findIndex(isWrong)).toBe(-1);
  open.close();
});
