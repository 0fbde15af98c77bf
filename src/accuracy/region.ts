import { problem } from '../problems.ts';
import { COLUMNS, describeIndices, ROWS } from './index-set.ts';
import { quadrantPath } from './quadrant-path.ts';

/** How the product was cut, for words that point at a cause. */
export interface RegionHints {
  /** Recursion levels: quadrants are named down to this level, 1 when not given. */
  readonly levels?: number | undefined;
  readonly border?: 'pad' | 'peel' | undefined;
  /** Sides of the kernel's square output tile; 32, 16 and 8 are tried when not given. */
  readonly tile?: number | undefined;
}

/** Where the wrong entries are. */
export interface Region {
  /** How many entries are marked. */
  readonly count: number;
  /** A phrase for "wrong: …". */
  readonly text: string;
}

const TILES = [32, 16, 8] as const;

/** More quadrants than this are not listed. */
const QUADRANTS_LISTED = 8;

/** What a describer sees: the marked entries and their rows and columns, ascending. */
interface Marked {
  readonly mask: Uint8Array;
  readonly m: number;
  readonly n: number;
  readonly count: number;
  readonly rows: readonly number[];
  readonly cols: readonly number[];
  readonly hints: RegionHints;
}

/** Each knows one kind of pattern and is asked in turn; the first that recognises its own is believed. */
const patterns: readonly ((marked: Marked) => string | undefined)[] = [
  none,
  everything,
  singleEntry,
  quadrants,
  complement,
  wholeLines,
  tileOffsets,
  rectangle,
  lastRowsAndColumns,
  diagonal,
  withinTile,
  scattered,
];

/**
 * Describes in words which entries of an m×n result are marked (not 0): rows, columns, quadrants, tiles, or all but
 * those. Indices count from 0. Only what holds for every single entry is said.
 * @param mask m·n entries, row-major.
 * @throws Problem `shapes-differ` when the mask has another length.
 */
export function describeRegion(mask: Uint8Array, m: number, n: number, hints: RegionHints = {}): Region {
  if (mask.length !== m * n) {
    throw problem('shapes-differ', {
      a: `the result is ${m}×${n}`,
      b: `the mask has ${mask.length} entries`,
      why: 'each entry needs its mark',
    });
  }
  const marked = survey(mask, m, n, hints);
  for (const pattern of patterns) {
    const text = pattern(marked);
    if (text !== undefined) return { count: marked.count, text };
  }
  return { count: marked.count, text: `${marked.count} of ${m * n} entries` };
}

function survey(mask: Uint8Array, m: number, n: number, hints: RegionHints): Marked {
  const inRow = new Uint32Array(m);
  const inCol = new Uint32Array(n);
  let count = 0;
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      if (mask[i * n + j] === 0) continue;
      count++;
      inRow[i]++;
      inCol[j]++;
    }
  }
  const positions = (counts: Uint32Array) => [...counts.keys()].filter((at) => counts[at] > 0);
  return { mask, m, n, count, rows: positions(inRow), cols: positions(inCol), hints };
}

function none({ count }: Marked): string | undefined {
  return count === 0 ? 'no entry' : undefined;
}

function everything({ count, m, n }: Marked): string | undefined {
  return count === m * n ? `all ${m}×${n} entries` : undefined;
}

function singleEntry({ count, rows, cols, m, n, hints }: Marked): string | undefined {
  if (count !== 1) return undefined;
  const path = quadrantPath(rows[0], cols[0], m, n, hints.levels ?? 1, hints.border);
  return `a single entry (${rows[0]}, ${cols[0]}), in ${path}`;
}

/** Whole quadrants at the coarsest level that says it exactly. */
function quadrants(marked: Marked): string | undefined {
  for (let level = 1; level <= (marked.hints.levels ?? 1); level++) {
    const parts = partsOf(marked, level);
    const whole = parts.filter((part) => part.marked === part.size);
    const covered = whole.reduce((sum, part) => sum + part.size, 0);
    if (covered !== marked.count || parts.length === 1 || whole.length > QUADRANTS_LISTED) continue;
    const names = whole.map((part) => part.path).sort();
    const what = names.some((name) => name.includes('fringe')) ? 'part' : 'quadrant';
    const plural = names.length === 1 ? '' : 's';
    return `${what}${plural} ${list(names)} (at level ${level}), ${marked.count} entries`;
  }
  return undefined;
}

interface Part {
  readonly path: string;
  marked: number;
  size: number;
}

/** Counts the marks of every quadrant. Rows of one path in column 0 have one path in every column, and so on. */
function partsOf({ mask, m, n, hints }: Marked, level: number): Part[] {
  const path = (i: number, j: number) => quadrantPath(i, j, m, n, level, hints.border);
  const parts = new Map<string, Part>();
  const bands = new Map<string, Part[]>();
  const colPaths = Array.from({ length: n }, (_, j) => path(0, j));
  for (let i = 0; i < m; i++) {
    const rowPath = path(i, 0);
    const band = bands.get(rowPath) ?? bandOf(i, colPaths, path, parts);
    bands.set(rowPath, band);
    for (let j = 0; j < n; j++) {
      band[j].size++;
      if (mask[i * n + j] !== 0) band[j].marked++;
    }
  }
  return [...parts.values()];
}

/** The part of each column, for rows like row i; looked up once for columns of one path. */
function bandOf(
  i: number,
  colPaths: readonly string[],
  path: (i: number, j: number) => string,
  parts: Map<string, Part>,
): Part[] {
  const known = new Map<string, Part>();
  return colPaths.map((colPath, j) => {
    const found = known.get(colPath);
    if (found !== undefined) return found;
    const name = path(i, j);
    const part = parts.get(name) ?? { path: name, marked: 0, size: 0 };
    parts.set(name, part);
    known.set(colPath, part);
    return part;
  });
}

/** All but a rectangle of less than a quarter of the entries. */
function complement({ mask, m, n, count, hints }: Marked): string | undefined {
  if (4 * count <= 3 * m * n) return undefined;
  const inverse = mask.map((mark) => (mark === 0 ? 1 : 0));
  const rest = survey(inverse, m, n, hints);
  const except = singleEntry(rest) ?? wholeLines(rest) ?? rectangle(rest);
  return except === undefined ? undefined : `everything but ${except.replace(/^only /, '')}`;
}

/** Rows marked from end to end, or columns. */
function wholeLines({ count, rows, cols, m, n }: Marked): string | undefined {
  if (count === rows.length * n) return `only ${describeIndices(rows, m, ROWS)}`;
  if (count === cols.length * m) return `only ${describeIndices(cols, n, COLUMNS)}`;
  return undefined;
}

/** Every marked row marked in the same columns. */
function rectangle(marked: Marked): string | undefined {
  const { count, rows, cols, m, n } = marked;
  if (rows.length * cols.length !== count) return undefined;
  const inRows = describeIndices(rows, m, ROWS);
  const inCols = describeIndices(cols, n, COLUMNS);
  return wholeTile(marked) ?? `only where ${inRows} and ${inCols} meet, ${count} entries`;
}

/** The union of trailing rows and trailing columns: what is left over when a tile does not divide the sizes. */
function lastRowsAndColumns({ mask, m, n, count }: Marked): string | undefined {
  let firstRow = m;
  while (firstRow > 0 && mask[(firstRow - 1) * n] !== 0) firstRow--;
  let firstCol = n;
  while (firstCol > 0 && mask[firstCol - 1] !== 0) firstCol--;
  if (firstRow === m || firstCol === n || count !== m * n - firstRow * firstCol) return undefined;
  for (let i = 0; i < firstRow; i++) {
    for (let j = 0; j < firstCol; j++) if (mask[i * n + j] !== 0) return undefined;
  }
  const last = (from: number, count: number, axis: typeof ROWS) =>
    describeIndices(
      Array.from({ length: count - from }, (_, at) => from + at),
      count,
      axis,
    );
  return `${last(firstRow, m, ROWS)} and ${last(firstCol, n, COLUMNS)}, ${count} entries`;
}

function diagonal(marked: Marked): string | undefined {
  const { mask, m, n, count } = marked;
  const shapes: readonly [string, (i: number, j: number) => boolean][] = [
    ['only the main diagonal', (i, j) => i === j],
    ['everything but the main diagonal', (i, j) => i !== j],
    ['only the part above the main diagonal', (i, j) => j > i],
    ['only the part below the main diagonal', (i, j) => j < i],
    ['only the main diagonal and the part above it', (i, j) => j >= i],
    ['only the main diagonal and the part below it', (i, j) => j <= i],
  ];
  const fits = ([, inside]: (typeof shapes)[number]) => {
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) if ((mask[i * n + j] !== 0) !== inside(i, j)) return false;
    }
    return true;
  };
  const found = shapes.find(fits);
  return found === undefined ? undefined : `${found[0]}, ${count} entries`;
}

/** The same places in every tile: a thread or a register of the kernel is at fault. */
function tileOffsets({ mask, m, n, count, hints }: Marked): string | undefined {
  for (const tile of hints.tile === undefined ? [...TILES].reverse() : [hints.tile]) {
    if (m < 2 * tile || n < 2 * tile) continue;
    const inTile = new Uint8Array(tile * tile);
    for (let i = 0; i < tile; i++) {
      for (let j = 0; j < tile; j++) inTile[i * tile + j] = mask[i * n + j] === 0 ? 0 : 1;
    }
    if (mask.some((mark, at) => (mark === 0 ? 0 : 1) !== inTile[offsetInTile(at, n, tile)])) continue;
    const places = describeRegion(inTile, tile, tile, { levels: 0 }).text.replace(/, in C$/, '');
    return `in every ${tile}×${tile} tile the same: ${places}; ${count} entries in all`;
  }
  return undefined;
}

function offsetInTile(at: number, n: number, tile: number): number {
  return (Math.floor(at / n) % tile) * tile + ((at % n) % tile);
}

/** Exactly one tile of the grid, whole. */
function wholeTile(marked: Marked): string | undefined {
  const { rows, cols, m, n, count } = marked;
  for (const tile of tilesOf(marked)) {
    const [r, c] = [Math.floor(rows[0] / tile), Math.floor(cols[0] / tile)];
    const height = Math.min(m, (r + 1) * tile) - r * tile;
    const width = Math.min(n, (c + 1) * tile) - c * tile;
    if (rows[0] !== r * tile || cols[0] !== c * tile || rows.length !== height || cols.length !== width)
      continue;
    if (rows[rows.length - 1] !== r * tile + height - 1 || cols[cols.length - 1] !== c * tile + width - 1)
      continue;
    return `only the ${r === 0 && c === 0 ? 'first ' : ''}${tile}×${tile} tile (${r}, ${c}), ${count} entries`;
  }
  return undefined;
}

/** Some entries of one tile. */
function withinTile(marked: Marked): string | undefined {
  const { rows, cols, count } = marked;
  const [top, left] = [rows[0], cols[0]];
  const [bottom, right] = [rows[rows.length - 1], cols[cols.length - 1]];
  for (const tile of [...tilesOf(marked)].reverse()) {
    const [r, c] = [Math.floor(top / tile), Math.floor(left / tile)];
    if (Math.floor(bottom / tile) !== r || Math.floor(right / tile) !== c) continue;
    return `${count} entries, all in the ${tile}×${tile} tile (${r}, ${c}), the first at (${first(marked)})`;
  }
  return undefined;
}

function scattered(marked: Marked): string | undefined {
  const { m, n, count, rows, cols } = marked;
  const percent = ((100 * count) / (m * n)).toPrecision(2);
  return (
    `${count} of ${m * n} entries (${Number(percent)} %), scattered over ${describeIndices(rows, m, ROWS)} and ` +
    `${describeIndices(cols, n, COLUMNS)}, the first at (${first(marked)})`
  );
}

/** Tiles that are smaller than the result. */
function tilesOf({ m, n, hints }: Marked): readonly number[] {
  return (hints.tile === undefined ? TILES : [hints.tile]).filter((tile) => tile < Math.max(m, n));
}

function first({ mask, n }: Marked): string {
  const at = mask.findIndex((mark) => mark !== 0);
  return `${Math.floor(at / n)}, ${at % n}`;
}

function list(names: readonly string[]): string {
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
