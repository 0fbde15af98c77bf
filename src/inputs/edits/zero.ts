import type { Matrix, Shape } from '../../matrix/dense.ts';
import type { EditKind } from './edit.ts';

interface Zeroing {
  readonly name: string;
  readonly what: string;
  /** Returns the number of zeroable lines. */
  readonly count: (shape: Shape) => number;
  readonly zero: (a: Matrix, b: Matrix, at: number) => void;
}

const zeroings: readonly Zeroing[] = [
  {
    name: 'zero-rows',
    what: 'Rows of A become zero.',
    count: ({ m }) => m,
    zero: (a, _, i) => zeroRow(a, i),
  },
  {
    name: 'zero-columns',
    what: 'Columns of B become zero.',
    count: ({ n }) => n,
    zero: (_, b, j) => zeroColumn(b, j),
  },
  {
    name: 'zero-inner',
    what: 'Columns of A, and the rows of B they meet, become zero.',
    count: ({ k }) => k,
    zero: (a, b, p) => {
      zeroColumn(a, p);
      zeroRow(b, p);
    },
  },
];

/** Edit that sets lines of A and B to zero. Every other number stays as it is, so exact sums stay exact. */
export const zeros: readonly EditKind[] = zeroings.map(({ name, what, count, zero }) => ({
  name,
  what,
  takes: 'indices from 0 on, as "0-4.7"',
  read(argument) {
    const ranges = parseRanges(argument);
    if (ranges === undefined) return undefined;
    return {
      text: `${name}:${formatRanges(ranges)}`,
      traits: (before) => before,
      accepts(shape) {
        const last = Math.max(...ranges.map(([, to]) => to));
        if (last < count(shape)) return { ok: true };
        return { ok: false, reason: `${name} counts from 0 to ${count(shape) - 1}, and names ${last}` };
      },
      apply({ a, b }) {
        for (const at of indicesOf(ranges)) zero(a, b, at);
      },
    };
  },
}));

function zeroRow({ cols, data }: Matrix, i: number): void {
  data.fill(0, i * cols, (i + 1) * cols);
}

function zeroColumn({ rows, cols, data }: Matrix, j: number): void {
  for (let i = 0; i < rows; i++) data[i * cols + j] = 0;
}

/** A range of indices from the first to the last, both included. */
export type IndexRange = readonly [from: number, to: number];

const MOST = 32_768;

/** Reads "0-4.7": 0 to 4, and 7. Undefined for any other text. */
export function parseRanges(text: string): IndexRange[] | undefined {
  const ranges: IndexRange[] = [];
  for (const part of text.split('.')) {
    const found = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part);
    if (found === null) return undefined;
    const from = Number(found[1]);
    const to = Number(found[2] ?? found[1]);
    if (from > to || to >= MOST) return undefined;
    ranges.push([from, to]);
  }
  return ranges;
}

/** Formats ranges as text that {@link parseRanges} reads. */
export function formatRanges(ranges: readonly IndexRange[]): string {
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join('.');
}

/** Returns every index once, in ascending order. */
export function indicesOf(ranges: readonly IndexRange[]): number[] {
  const all = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  return [...new Set(all)].sort((x, y) => x - y);
}

/** Returns the fewest ranges that hold these indices. */
export function findRanges(indices: readonly number[]): IndexRange[] {
  const ranges: [number, number][] = [];
  for (const at of [...new Set(indices)].sort((x, y) => x - y)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === at - 1) last[1] = at;
    else ranges.push([at, at]);
  }
  return ranges;
}
