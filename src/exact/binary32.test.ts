import { expect, it } from 'vitest';
import { exponentOf, lowestBit } from '../base/binary64.ts';
import { exponentOf32, lowestBit32 } from './binary32.ts';

it('reads an f32 as the double of the same value is read', () => {
  const edges = [1, -1, 1.5, 3, 2 ** -126, 2 ** -149, 3 * 2 ** -149, 2 ** -127, (2 - 2 ** -23) * 2 ** 127];
  const random = Array.from({ length: 500 }, (_, at) => Math.sin(at + 1) * 2 ** ((at % 270) - 140));
  for (const x of Float32Array.from([...edges, ...random])) {
    const [word] = new Uint32Array(Float32Array.of(x).buffer);
    expect([exponentOf32(word), lowestBit32(word)]).toEqual([exponentOf(x), lowestBit(x)]);
  }
});
