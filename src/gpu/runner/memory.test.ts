import { expect, test } from 'vitest';
import { GUARD, POISON } from '../../precision/entries.ts';
import { openNodeDevice } from '../node/open.ts';
import { readMapped } from '../queue/errors.ts';
import { poison } from './memory.ts';
import { GUARDS } from './stored.ts';

test.each([1, 2] as const)('of %d words an entry lies between guards, in every chunk', async (words) => {
  const open = await openNodeDevice({ adapter: 'software' });
  const inside = words * 2500;
  const range = { bytes: 4 * inside, words, guard: GUARD, before: POISON, isRead: false };
  const size = 4 * (inside + 2 * words * GUARDS);
  const { device } = open;
  const buffer = device.createBuffer({ size, usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  poison(device, buffer, range, 4096);
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
  device.queue.submit([encoder.finish()]);
  const found = new Uint32Array(await readMapped(open, staging, { kernel: 'none', step: 'reading' }));
  const isWrong = (word: number, at: number) =>
    word !== (at < words * GUARDS || at >= words * GUARDS + inside ? GUARD : POISON);
  expect(found.findIndex(isWrong)).toBe(-1);
  open.close();
});
