import { expect, it } from 'vitest';
import { piecesOf } from './stored-bytes.ts';

it('memory in pieces has the same bytes, in their order', () => {
  const view = new DataView(Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7).buffer, 1, 6);
  const pieces = (atOnce?: number) => piecesOf(view, atOnce).map((piece) => [...piece]);
  expect(pieces()).toEqual([[1, 2, 3, 4, 5, 6]]);
  expect(pieces(3)).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  expect(pieces(4)).toEqual([
    [1, 2, 3, 4],
    [5, 6],
  ]);
  expect(piecesOf(new DataView(new ArrayBuffer(0)))).toEqual([]);
});
