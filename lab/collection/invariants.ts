import type { BilinearTable } from '../../src/algorithms/bilinear-table.ts';

/** Rounds of refinement, enough for colors to spread through every table. */
const ROUNDS = 5;

/**
 * An invariant text of a table. It is unchanged if A, B and C exchange roles, or if blocks or products are reordered. Nor do
 * signs matter, or factors moved between the three sums of a product. Tables with different texts are inequivalent; tables with
 * equal texts may be too, but are counted as one. It is made by color refinement of the sizes of coefficients.
 */
export function orbitText(table: BilinearTable): string {
  const edges = edgesOf(table);
  const { m, k, n } = table.base;
  let lines = [...Array(m).fill(m), ...Array(k).fill(k), ...Array(n).fill(n)].map(String);
  let products = table.u.map(() => '');
  for (let round = 0; round < ROUNDS; round++) {
    const at = edges.map(({ ends: [x, y] }) => [lines[x], lines[y]].sort().join());
    const ofParts = new Map<string, string[]>();
    for (const [e, { product, part, size }] of edges.entries()) {
      const key = `${product} ${part}`;
      ofParts.set(key, [...(ofParts.get(key) ?? []), `${size}:${at[e]}`]);
    }
    const own = products.map((_, r) => [0, 1, 2].map((part) => bag(ofParts.get(`${r} ${part}`) ?? [])));
    products = named(own.map((parts, r) => `${products[r]}|${bag(parts)}`));
    const met = lines.map((): string[] => []);
    for (const { ends, product, size } of edges)
      for (const [one, other] of [ends, [...ends].reverse()])
        met[one].push(`${size}:${lines[other]}:${products[product]}`);
    lines = named(lines.map((line, x) => `${line}|${bag(met[x])}`));
  }
  return `${bag(lines)} ${bag(products)}`;
}

/**
 * An invariant text under changes of basis of rows, columns and the inner dimension, and under exchanges of roles of A, B and C:
 * the ranks of the three sums of every product, as matrices. Tables with different texts are inequivalent in any basis.
 */
export function rankText({ base: { m, k, n }, u, v, w }: BilinearTable): string {
  const widths = [k, n, n];
  const ranks = u.map((_, r) =>
    [u[r], v[r], w[r]]
      .map((row, part) => matrixRank(row, widths[part]))
      .sort()
      .join(''),
  );
  return `${[m, k, n].sort().join()} ${bag(ranks)}`;
}

/** A coefficient: its product and sum, its size relative to the largest of its sum, and the two lines that meet in its block. */
interface Edge {
  readonly product: number;
  readonly part: number;
  readonly size: number;
  readonly ends: readonly [number, number];
}

function edgesOf({ base: { m, k, n }, u, v, w }: BilinearTable): Edge[] {
  const places = [
    { rows: u, width: k, from: [0, m] },
    { rows: v, width: n, from: [m, m + k] },
    { rows: w, width: n, from: [0, m + k] },
  ];
  return places.flatMap(({ rows, width, from }, part) =>
    rows.flatMap((row, product) => {
      const most = Math.max(...row.map(Math.abs));
      return row.flatMap((value, at): Edge[] => {
        const ends = [from[0] + Math.floor(at / width), from[1] + (at % width)] as const;
        return value === 0
          ? []
          : [{ product, part, size: Number((Math.abs(value) / most).toFixed(9)), ends }];
      });
    }),
  );
}

const bag = (texts: readonly string[]): string => [...texts].sort().join(';');

/** Hashes of long texts, as short names. */
const named = (texts: readonly string[]): string[] => texts.map(hashOf);

/** An FNV-1a hash of 52 bits: two halves of 26 bits from different offsets. */
function hashOf(text: string): string {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    high = Math.imul(high ^ text.charCodeAt(at), 0x01000193);
    low = Math.imul(low ^ (text.charCodeAt(at) + at), 0x85ebca6b);
  }
  return `${(high >>> 0).toString(36)}${(low >>> 0).toString(36)}`;
}

/** The rank of a matrix of small dyadic numbers, or of multiples of √3, by elimination in double. */
function matrixRank(row: readonly number[], width: number): number {
  const lines = Array.from({ length: row.length / width }, (_, i) => row.slice(i * width, (i + 1) * width));
  let rank = 0;
  for (let column = 0; column < width; column++) {
    const pivot = lines.findIndex((line, i) => i >= rank && Math.abs(line[column]) > 1e-9);
    if (pivot < 0) continue;
    [lines[rank], lines[pivot]] = [lines[pivot], lines[rank]];
    for (let i = rank + 1; i < lines.length; i++) {
      const factor = lines[i][column] / lines[rank][column];
      lines[i] = lines[i].map((value, j) => value - factor * lines[rank][j]);
    }
    rank++;
  }
  return rank;
}
