import { expect, it } from 'vitest';
import { bitmap } from './cells.ts';

it.each([
  [[1, 2, 3, 4, 5, 15], 4, [0x12, 0x30, 0, 0, 0x45, 0xf0, 0, 0]],
  [[1, 2, 3, 4, 5, 16], 8, [1, 2, 3, 0, 4, 5, 16, 0]],
])('is a bitmap whose rows, from the top, are the pixels %j', (pixels, bits, lines) => {
  const image = Buffer.from(bitmap(3, 2, pixels, ['#ff0080', '#000001']));
  expect(image.subarray(0, 2).toString('latin1')).toBe('BM');
  const words = Array.from({ length: 6 }, (_, at) => image.readInt32LE(2 + 4 * at));
  // The size of the file, where the rows begin, the size of the header, and the sides: a negative height begins at the top.
  expect(words).toEqual([image.length, 0, 62, 40, 3, -2]);
  expect([image.readUInt16LE(26), image.readUInt16LE(28), image.readInt32LE(46)]).toEqual([1, bits, 2]);
  expect([...image.subarray(54, 62)]).toEqual([0x80, 0, 255, 0, 1, 0, 0, 0]);
  expect([...image.subarray(62)]).toEqual(lines);
});
