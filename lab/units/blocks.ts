import type { Shape } from '../../src/matrix/dense.ts';
import { accumulatorOf } from './accumulators.ts';
import { COLUMNS, libraryLineOf, lineOf, ROWS } from './operands.ts';
import type { ResultSection } from './sections.ts';

/** Operands of some results: A m×k, B k×n, C m×n, row-major. Libraries' products have no C. */
export interface UnitOperands extends Shape {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly c?: Float64Array;
}

/** The number of rows and columns of a library's product that are stored. */
const CORNER = 64;

export const blockSizeOf = ({ part }: ResultSection) => (part === 'units' ? ROWS * COLUMNS : CORNER * CORNER);

/** The operands of the single result `at` of a section. */
export function operandsOfEntry(section: ResultSection, at: number): UnitOperands {
  const n = section.part === 'units' ? COLUMNS : CORNER;
  const size = blockSizeOf(section);
  const [tile, row, column] = [Math.floor(at / size), Math.floor((at % size) / n), at % n];
  return blockOf(section, tile, [row], [column]);
}

/** The operands of a tile of a section. */
export function operandsOfTile(section: ResultSection, tile: number): UnitOperands {
  const [m, n] = section.part === 'units' ? [ROWS, COLUMNS] : [CORNER, CORNER];
  return blockOf(section, tile, upTo(m), upTo(n));
}

const upTo = (n: number) => Array.from({ length: n }, (_, at) => at);

function blockOf(
  section: ResultSection,
  tile: number,
  rows: readonly number[],
  columns: readonly number[],
): UnitOperands {
  const x = rows.map((row) => sideOf(section, 'a', tile, row));
  const y = columns.map((column) => sideOf(section, 'b', tile, column));
  const [m, k, n] = [rows.length, x[0].length, columns.length];
  const [a, b] = [new Float64Array(m * k), new Float64Array(k * n)];
  x.forEach((line, i) => {
    a.set(line, i * k);
  });
  y.forEach((line, j) => {
    for (let p = 0; p < k; p++) b[p * n + j] = line[p];
  });
  if (section.part === 'library') return { m, k, n, a, b };
  const c = new Float64Array(m * n);
  x.forEach((row, i) => {
    y.forEach((column, j) => {
      c[i * n + j] = accumulatorOf(section, tile, rows[i], columns[j], row, column);
    });
  });
  return { m, k, n, a, b, c };
}

/** A row of A or a column of B. */
function sideOf(section: ResultSection, side: 'a' | 'b', tile: number, line: number): Float64Array {
  if (section.part === 'units') return lineOf(section, side, tile, line, !section.source.includes('uint8'));
  const { format, kind, k } = section;
  // PyTorch multiplies e5m2 by e4m3 only.
  return libraryLineOf({ format: side === 'b' && format === 'e5m2' ? 'e4m3' : format, kind }, side, line, k);
}
