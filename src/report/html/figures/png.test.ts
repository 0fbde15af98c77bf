import { crc32, inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { png } from './png.ts';

it.each([
  [[1, 2, 3, 4, 5, 15], 4, [0, 0x12, 0x30, 0, 0x45, 0xf0]],
  [[1, 2, 3, 4, 5, 16], 8, [0, 1, 2, 3, 0, 4, 5, 16]],
])('is a PNG whose rows are the pixels %j', (pixels, bits, lines) => {
  const image = Buffer.from(png(3, 2, pixels, ['#ff0080', '#000000']));
  expect(image.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < image.length; ) {
    const length = image.readUInt32BE(at);
    const body = image.subarray(at + 4, at + 8 + length);
    expect(image.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.subarray(0, 4).toString(), body.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  expect([...inflateSync(chunks.get('IDAT') as Buffer)]).toEqual(lines);
  expect(chunks.get('IHDR')?.[8]).toBe(bits);
  expect([...(chunks.get('PLTE') as Buffer)]).toEqual([255, 0, 128, 0, 0, 0]);
});
