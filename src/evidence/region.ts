import { shapesDiffer } from '../matrix/messages.ts';
import { type BlockSplit, countLevels, pathIn, pathName } from '../plan/path.ts';
import { COLUMNS, describeIndices, ROWS } from './index-set.ts';

/** The blocks of the product, for words that point at a cause. */
export interface RegionHints {
  /** The cuts of each level of the plan. @defaultValue quadrants, once */
  readonly cuts?: readonly BlockSplit[] | undefined;
  /** Side of the kernel's square output tile. @defaultValue 32, 16 and 8 are tried */
  readonly tile?: number | undefined;
}

const TILES = [32, 16, 8] as const;

/** More blocks than this are not listed. */
const BLOCKS_LISTED = 8;

/** The first level of most plans. */
const QUADRANTS: readonly BlockSplit[] = [{ rows: 2, cols: 2, levels: 1, fringe: 'pad' }];

/** The marked entries, and their rows and columns in ascending order. */
interface Marked {
  readonly mask: Uint8Array;
  readonly m: number;
  readonly n: number;
  readonly count: number;
  readonly rows: readonly number[];
  readonly cols: readonly number[];
  readonly hints: RegionHints;
}

/** Descriptions of one pattern each, in order of preference; the first that applies is used. */
const patterns: readonly ((marked: Marked) => string | undefined)[] = [
  ({ count }) => (count === 0 ? 'no entry' : undefined),
  ({ count, m, n }) =>
    count === m * n ? (count === 1 ? 'the only entry' : `all ${m}×${n} entries`) : undefined,
  singleEntry,
  blocks,
  complement,
  wholeLines,
  tileOffsets,
  rectangle,
  lastRowsAndColumns,
  diagonal,
  withinTile,
];

/**
 * Describes in words which entries of an m×n result are marked (not 0): rows, columns, quadrants, tiles, or all but those. Indices count
 * from 0. The description holds for every single entry.
 * @returns the number of marked entries, and a phrase for "wrong: …".
 * @param mask m·n entries, row-major.
 * @throws ParanoiaError `shapes-differ` when the mask has another length.
 */
export function describeRegion(mask: Uint8Array, m: number, n: number, hints: RegionHints = {}) {
  if (mask.length !== m * n) {
    throw shapesDiffer({
      a: `the result is ${m}×${n}`,
      b: `the mask has ${mask.length} entries`,
      why: 'each entry needs its mark',
    });
  }
  const marked = survey(mask, m, n, hints);
  let text: string | undefined;
  for (const pattern of patterns) text ??= pattern(marked);
  return { count: marked.count, text: text ?? scattered(marked) };
}

function survey(mask: Uint8Array, m: number, n: number, hints: RegionHints): Marked {
  const inRow = new Uint32Array(m);
  const inCol = new Uint32Array(n);
  let count = 0;
  mask.forEach((mark, at) => {
    if (mark === 0) return;
    count++;
    inRow[Math.floor(at / n)]++;
    inCol[at % n]++;
  });
  const positions = (counts: Uint32Array) => [...counts.keys()].filter((at) => counts[at] > 0);
  return { mask, m, n, count, rows: positions(inRow), cols: positions(inCol), hints };
}

function singleEntry({ count, rows, cols, m, n, hints }: Marked): string | undefined {
  if (count !== 1) return undefined;
  const [i, j] = [rows[0], cols[0]];
  const path = pathIn(i, j, { m, n }, hints.cuts ?? QUADRANTS);
  return `only entry (${i}, ${j})${path.length === 0 ? '' : `, in ${pathName(path)}`}`;
}

/** Describes whole blocks, at the coarsest level that is exact. */
function blocks(marked: Marked): string | undefined {
  const cuts = marked.hints.cuts ?? QUADRANTS;
  const isQuartered = cuts.every(({ rows, cols }) => rows === 2 && cols === 2);
  for (let level = 1; level <= countLevels(cuts); level++) {
    const parts = partsOf(marked, level);
    const whole = parts.filter((part) => part.marked === part.size);
    const covered = whole.reduce((sum, part) => sum + part.size, 0);
    if (covered !== marked.count || parts.length === 1 || whole.length > BLOCKS_LISTED) continue;
    const names = whole.map((part) => part.path).sort();
    const listed = names.join(', ').replace(/, (?=[^,]*$)/, ' and ');
    const what = names.some((name) => name.includes('fringe')) ? 'part' : isQuartered ? 'quadrant' : 'block';

    return `${what}${names.length === 1 ? '' : 's'} ${listed} (at level ${level}), ${marked.count} entries`;
  }
  return undefined;
}

type Part = { readonly path: string; marked: number; size: number };

/** Counts the marks of every block. Rows that have the same path in column 0 have the same path in every column. */
function partsOf({ mask, m, n, hints }: Marked, level: number): Part[] {
  const cuts = hints.cuts ?? QUADRANTS;
  const pathOf = (i: number, j: number) => pathName(pathIn(i, j, { m, n }, cuts, level));
  const parts = new Map<string, Part>();
  const partOf = (path: string) => {
    const part = parts.get(path) ?? { path, marked: 0, size: 0 };
    parts.set(path, part);
    return part;
  };
  const bandOf = new Map<string, Part[]>();
  for (let i = 0; i < m; i++) {
    const rowPath = pathOf(i, 0);
    const band = bandOf.get(rowPath) ?? Array.from({ length: n }, (_, j) => partOf(pathOf(i, j)));
    bandOf.set(rowPath, band);
    for (let j = 0; j < n; j++) {
      band[j].size++;
      if (mask[i * n + j] !== 0) band[j].marked++;
    }
  }
  return [...parts.values()];
}

/** Describes all entries but a rectangle of less than a quarter. */
function complement({ mask, m, n, count, hints }: Marked): string | undefined {
  if (4 * count <= 3 * m * n) return undefined;
  const rest = survey(
    mask.map((mark) => Number(mark === 0)),
    m,
    n,
    hints,
  );
  const except = singleEntry(rest) ?? wholeLines(rest) ?? rectangle(rest);
  return except === undefined ? undefined : `everything but ${except.replace(/^only /, '')}`;
}

/** Describes rows, or columns, that are marked from end to end. */
function wholeLines({ count, rows, cols, m, n }: Marked): string | undefined {
  if (count === rows.length * n) return `only ${describeIndices(rows, m, ROWS)}`;
  return count === cols.length * m ? `only ${describeIndices(cols, n, COLUMNS)}` : undefined;
}

/** Describes marks that are the same columns in each marked row. */
function rectangle(marked: Marked): string | undefined {
  const { count, rows, cols, m, n } = marked;
  if (rows.length * cols.length !== count) return undefined;
  const [inRows, inCols] = [describeIndices(rows, m, ROWS), describeIndices(cols, n, COLUMNS)];
  return wholeTile(marked) ?? `only where ${inRows} and ${inCols} meet, ${count} entries`;
}

/** Describes trailing rows together with trailing columns: the remainder where a tile does not divide the sizes. */
function lastRowsAndColumns({ mask, m, n, count }: Marked): string | undefined {
  let [firstRow, firstCol] = [m, n];
  while (firstRow > 0 && mask[(firstRow - 1) * n] !== 0) firstRow--;
  while (firstCol > 0 && mask[firstCol - 1] !== 0) firstCol--;
  if (firstRow === m || firstCol === n || count !== m * n - firstRow * firstCol) return undefined;
  if (mask.some((mark, at) => mark !== 0 && at < firstRow * n && at % n < firstCol)) return undefined;
  const from = (first: number, end: number) => Array.from({ length: end - first }, (_, at) => first + at);
  const rows = describeIndices(from(firstRow, m), m, ROWS);
  return `${rows} and ${describeIndices(from(firstCol, n), n, COLUMNS)}, ${count} entries`;
}

function diagonal({ mask, n, count }: Marked): string | undefined {
  const shapes: readonly [string, (i: number, j: number) => boolean][] = [
    ['only the main diagonal', (i, j) => i === j],
    ['everything but the main diagonal', (i, j) => i !== j],
    ['only the part above the main diagonal', (i, j) => j > i],
    ['only the part below the main diagonal', (i, j) => j < i],
    ['only the main diagonal and the part above it', (i, j) => j >= i],
    ['only the main diagonal and the part below it', (i, j) => j <= i],
  ];
  const found = shapes.find(([, inside]) =>
    mask.every((mark, at) => (mark !== 0) === inside(Math.floor(at / n), at % n)),
  );
  return found === undefined ? undefined : `${found[0]}, ${count} entries`;
}

/** Describes marks at the same places in every tile: a thread or a register of the kernel is at fault. */
function tileOffsets({ mask, m, n, count, hints }: Marked): string | undefined {
  for (const tile of hints.tile === undefined ? [...TILES].reverse() : [hints.tile]) {
    if (m < 2 * tile || n < 2 * tile) continue;
    const isMarked = (i: number, j: number) => Number(mask[i * n + j] !== 0);
    const differs = (_: number, at: number) =>
      isMarked(Math.floor(at / n), at % n) !== isMarked(Math.floor(at / n) % tile, (at % n) % tile);
    if (mask.some(differs)) continue;
    const inTile = Uint8Array.from({ length: tile ** 2 }, (_, at) =>
      isMarked(Math.floor(at / tile), at % tile),
    );
    const places = describeRegion(inTile, tile, tile, { cuts: [] }).text;
    return `in every ${tile}×${tile} tile the same: ${places}; ${count} entries in all`;
  }
  return undefined;
}

/** Describes one whole tile of the grid. */
function wholeTile(marked: Marked): string | undefined {
  const { rows, cols, m, n, count } = marked;
  for (const tile of tilesOf(marked)) {
    const [r, c] = [bandOfTiles(rows, m, tile), bandOfTiles(cols, n, tile)];
    if (r === undefined || c === undefined) continue;
    return `only the ${r === 0 && c === 0 ? 'first ' : ''}${tile}×${tile} tile (${r}, ${c}), ${count} entries`;
  }
  return undefined;
}

/** Returns the number of the tile whose rows (columns) are exactly these indices. */
function bandOfTiles(indices: readonly number[], of: number, tile: number): number | undefined {
  const at = Math.floor(indices[0] / tile);
  const [from, end] = [at * tile, Math.min(of, (at + 1) * tile)];
  const whole = indices.length === end - from && indices[0] === from && indices[end - from - 1] === end - 1;
  return whole ? at : undefined;
}

/** Describes some entries of one tile. */
function withinTile(marked: Marked): string | undefined {
  const { rows, cols, count } = marked;
  const within = (at: readonly number[], tile: number) =>
    Math.floor(at[0] / tile) === Math.floor(at[at.length - 1] / tile);
  const smallest = tilesOf(marked).findLast((tile) => within(rows, tile) && within(cols, tile));
  if (smallest === undefined) return undefined;
  const [r, c] = [rows, cols].map(([first]) => Math.floor(first / smallest));
  return `${count} entries, all in the ${smallest}×${smallest} tile (${r}, ${c}), the first at (${first(marked)})`;
}

function scattered(marked: Marked): string {
  const { m, n, count, rows, cols } = marked;
  const percent = Number(((100 * count) / (m * n)).toPrecision(2));
  const [inRows, inCols] = [describeIndices(rows, m, ROWS), describeIndices(cols, n, COLUMNS)];
  return `${percent} % of all, scattered over ${inRows} and ${inCols}, the first at (${first(marked)})`;
}

/** Returns the tile sizes that are smaller than the result. */
function tilesOf({ m, n, hints }: Marked): readonly number[] {
  return (hints.tile === undefined ? TILES : [hints.tile]).filter((tile) => tile < Math.max(m, n));
}

function first({ mask, n }: Marked): string {
  const at = mask.findIndex((mark) => mark !== 0);
  return `${Math.floor(at / n)}, ${at % n}`;
}
