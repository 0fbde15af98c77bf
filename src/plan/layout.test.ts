import { describe, expect, it } from 'vitest';
import { alignUp } from '../base/numbers.ts';
import { ALIGNMENT, addressOf, type BlockLayout, leafLayout, listPieces, splitLayout } from './layout.ts';

/** Returns a layout of `levels` halvings, with fringes where a size is odd. */
function halved(rows: number, cols: number, levels: number, tile = 1): BlockLayout {
  if (levels === 0) return leafLayout(rows, cols, tile, tile);
  const part = halved(Math.floor(rows / 2), Math.floor(cols / 2), levels - 1, tile);
  return splitLayout(rows, cols, 2, 2, part);
}

const layouts: readonly [string, BlockLayout][] = [
  ['a leaf', leafLayout(5, 7)],
  ['a padded leaf', leafLayout(5, 7, 4, 4)],
  ['one level', halved(16, 8, 1)],
  ['two levels', halved(64, 64, 2)],
  ['three levels with fringes at each', halved(47, 31, 3)],
  ['three levels of padded leaves', halved(24, 40, 3, 4)],
  ['a grid of 3×2', splitLayout(20, 9, 3, 2, leafLayout(6, 4))],
];

describe.each(layouts)('%s', (_, layout) => {
  const addresses = Array.from({ length: layout.rows * layout.cols }, (_, e) =>
    addressOf(layout, Math.floor(e / layout.cols), e % layout.cols),
  );

  it('gives every entry an address of its own, within its size', () => {
    expect(new Set(addresses).size).toBe(layout.rows * layout.cols);
    expect(Math.min(...addresses)).toBe(0);
    expect(Math.max(...addresses)).toBeLessThan(layout.size);
  });

  it('is cut into pieces that cover every entry once, at its address', () => {
    const covered: number[] = [];
    for (const { offset, row, col, rows, cols, ld } of listPieces(layout)) {
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < cols; j++) {
          expect(addressOf(layout, row + i, col + j)).toBe(offset + i * ld + j);
          covered.push(offset + i * ld + j);
        }
      }
    }
    expect(covered.sort((x, y) => x - y)).toEqual(addresses.sort((x, y) => x - y));
  });

  it('starts every block at a multiple of 256 bytes, and is as long', () => {
    const check = (part: BlockLayout) => {
      expect(part.size % ALIGNMENT).toBe(0);
      if (part.kind === 'leaf') return;
      expect(part.rightFringe % ALIGNMENT).toBe(0);
      expect(part.bottomFringe % ALIGNMENT).toBe(0);
      check(part.part);
    };
    check(layout);
  });

  it('keeps each block of each level in one range', () => {
    if (layout.kind === 'leaf') return;
    const { part, gridRows, gridCols } = layout;
    for (let p = 0; p < gridRows * gridCols; p++) {
      const [row, col] = [Math.floor(p / gridCols) * part.rows, (p % gridCols) * part.cols];
      for (let i = 0; i < part.rows; i++) {
        for (let j = 0; j < part.cols; j++) {
          expect(addressOf(layout, row + i, col + j)).toBe(p * part.size + addressOf(part, i, j));
        }
      }
    }
  });
});

it('takes no entry more than the matrix where sizes and leaves are powers of two', () => {
  expect(halved(256, 256, 3).size).toBe(256 ** 2);
});

it('rounds up to whole multiples', () => {
  expect([0, 1, 64, 65].map((entries) => alignUp(entries, ALIGNMENT))).toEqual([0, 64, 64, 128]);
});
