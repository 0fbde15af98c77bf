import { drawnFormats } from './formats.ts';
import { type DrawKind, hashPlace, type UnitDraw } from './hash.ts';
import { COLUMNS, floatOf, ROWS } from './operands.ts';

/** Returns entry (row, column) of C of a tile; `x` and `y` are the row of A and the column of B that meet there. */
export function accumulatorOf(
  draw: UnitDraw,
  tile: number,
  row: number,
  column: number,
  x: Float64Array,
  y: Float64Array,
): number {
  const index = (tile * ROWS + row) * COLUMNS + column;
  const [h, h2] = [hashPlace(draw, 'c', index), hashPlace(draw, 'c2', index)];
  if (draw.format === 'int8') return integerOf(draw, h, h2);
  const u = h2 & 0xffffff;
  if (draw.kind === 'integers') return (u % 2048) - 1024;
  if (draw.kind === 'zeros') return h >>> 31 ? -0 : 0;
  if (draw.kind === 'cancel-c') {
    let sum = 0;
    for (let p = 0; p < x.length; p++) sum += x[p] * y[p];
    return Math.fround(-sum);
  }
  if (isZero(draw.kind, tile)) return 0;
  let [exponent, fraction] = [exponentOf(draw, tile, h, u), h & 0x7fffff];
  if (draw.kind === 'underflow' && exponent === 0) fraction &= 15;
  if (draw.kind === 'special' && h2 >>> 26 === 0) {
    const which = u & 3;
    exponent = which < 2 ? 255 : 0;
    fraction = which === 1 ? 0x7fffff : 0;
  }
  return floatOf((((h >>> 31) << 31) | (exponent << 23) | fraction) >>> 0);
}

/** Kinds in which every other tile has a C of zeros. */
const everyOther: readonly DrawKind[] = ['narrow', 'cancel', 'low-bits', 'underflow', 'all-subnormal'];

const isZero = (kind: DrawKind, tile: number): boolean =>
  kind === 'one-large' ? tile % 3 === 0 : everyOther.includes(kind) && tile % 2 === 0;

/** The exponent bits of an entry of C. */
function exponentOf({ format, kind }: UnitDraw, tile: number, h: number, u: number): number {
  if (format === 'int8') return 0;
  const { exponentBits, bias, large } = drawnFormats[format];
  switch (kind) {
    case 'bits':
      return Math.min((h >>> 23) & 255, 254);
    case 'zeros-c':
      return 97 + (u % 60);
    case 'wide':
      return 103 + (u % 48);
    case 'cancel':
      return 103 + (u % 24);
    case 'one-large':
      return tile % 3 === 1 ? 127 + 2 * (large[0] - bias) : 97 + (u % 60);
    case 'subnormal':
    case 'all-subnormal':
      return exponentBits === 8 ? u % 4 : 127 - 45 + (u % 12);
    case 'underflow':
      return exponentBits === 8 ? 0 : 127 - 27 + (u % 4);
    default:
      return 123 + (u % 8);
  }
}

function integerOf({ kind }: UnitDraw, h: number, h2: number): number {
  if (kind === 'integers') return (h2 % 2048) - 1024;
  if (kind === 'bits') return h | 0;
  const near = h & 1 ? h2 >>> 16 : 0x7fffffff - (h2 >>> 16);
  return h & 2 ? near : -near;
}
