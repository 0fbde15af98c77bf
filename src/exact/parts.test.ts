import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseParts, type ProductPart } from './parts.ts';

const side = fc.integer({ min: 1, max: 300 });
const draws = fc.record({ m: side, k: side, n: side, batch: fc.integer({ min: 1, max: 4 }), seed: fc.nat() });

/** True if every line is one of `size`, without repeats. */
const areLines = (lines: readonly number[], size: number): boolean =>
  lines.every((line) => Number.isInteger(line) && line >= 0 && line < size) &&
  new Set(lines).size === lines.length;

const isConsecutive = (lines: readonly number[]) => lines.every((line, at) => line === lines[0] + at);
const isTile = ({ rows, cols }: ProductPart): boolean =>
  rows !== undefined && cols !== undefined && rows.length > 5 && isConsecutive(rows) && isConsecutive(cols);

describe('the parts of a large product', () => {
  it('are lines of its products, as many as are counted, by the seed alone', () => {
    fc.assert(
      fc.property(draws, ({ m, k, n, batch, seed }) => {
        const { parts, counts } = chooseParts({ m, k, n }, batch, seed);
        const wrong = parts.filter(
          ({ member, rows = [], cols = [] }) =>
            !(areLines([member], batch) && areLines(rows, m) && areLines(cols, n)),
        );
        expect(wrong).toEqual([]);
        const whole = (lines: 'rows' | 'cols') =>
          parts
            .filter((part) => Object.keys(part).join() === `member,${lines}`)
            .flatMap((part) => part[lines]!);
        expect(whole('rows')).toHaveLength(Math.min(4, batch * m));
        expect(whole('cols')).toHaveLength(Math.min(4, batch * n));
        const crossings = parts.filter(({ rows, cols }) => rows && cols).slice(counts.tiles);
        expect(crossings).toHaveLength(40);
        const entries = crossings.reduce((sum, { rows, cols }) => sum + rows!.length * cols!.length, 0);
        expect(counts).toEqual({
          ...{ rows: Math.min(4, batch * m), cols: Math.min(4, batch * n), tiles: 64 },
          entries,
        });
        expect(entries).toBe(40 * Math.min(5, m) * Math.min(5, n));
        expect(chooseParts({ m, k, n }, batch, seed).parts).toEqual(parts);
      }),
      { numRuns: 10 },
    );
  });

  it('hold tiles of 16 by 16 in every corner, along the edges, and across the middle', () => {
    const [m, n] = [1000, 700];
    const parts = [1, 2, 3].flatMap((seed) => chooseParts({ m, k: 64, n }, 1, seed).parts);
    const tiles = parts.filter(isTile).map(({ rows, cols }) => ({ rows: rows!, cols: cols! }));
    expect(tiles.every(({ rows, cols }) => rows.length === 16 && cols.length === 16)).toBe(true);
    const has = (row: number, col: number) =>
      tiles.some(({ rows, cols }) => rows.includes(row) && cols.includes(col));
    for (const row of [0, m - 1]) for (const col of [0, n - 1]) expect(has(row, col)).toBe(true);
    const across = (lines: readonly number[], at: number) => lines.includes(at - 1) && lines.includes(at);
    expect(tiles.some(({ rows }) => across(rows, m / 2))).toBe(true);
    expect(tiles.some(({ cols }) => across(cols, n / 2))).toBe(true);
    expect(tiles.some(({ rows }) => across(rows, 512))).toBe(true);
  });

  it('of long sums are fewer and smaller', () => {
    const { parts, counts } = chooseParts({ m: 400, k: 2 ** 20, n: 400 }, 1, 7);
    expect(counts).toEqual({ rows: 1, cols: 1, tiles: 16, entries: 1000 });
    const tiles = parts.filter(isTile);
    expect(tiles).toHaveLength(16);
    expect(tiles.every(({ rows, cols }) => rows!.length === 8 && cols!.length === 8)).toBe(true);
  });

  it('have one of the telling lines beside the others', () => {
    const { parts, counts } = chooseParts({ m: 900, k: 9, n: 800 }, 2, 3, { rows: [1234], cols: [801] });
    expect(counts).toMatchObject({ rows: 5, cols: 5 });
    expect(parts).toContainEqual({ member: 1, rows: expect.arrayContaining([1234 - 900]) });
    expect(parts).toContainEqual({ member: 1, cols: expect.arrayContaining([801 - 800]) });
  });
});
