import { type DrawnFormat, drawnFormats } from './formats.ts';
import { hashPlace, type UnitDraw } from './hash.ts';

/** The numbers of rows of A and of columns of B in a tile. */
export const [ROWS, COLUMNS] = [64, 8];

/** The number of products of an entry: `steps` instructions of 32 bytes. */
export const lengthOf = ({ format, steps }: UnitDraw): number =>
  (32 * steps) / (format === 'int8' ? 1 : drawnFormats[format].bytes);

export type UnitSide = 'a' | 'b';

const signOf = (h: number) => h >>> 31;
const chanceOf = (h: number) => (h >>> 25) & 63;
const chosenOf = (h: number) => (h >>> 13) & 4095;

/** Properties of an element's place that affect its value. */
interface Place {
  readonly isLargest?: boolean;
  readonly gap?: number;
}

/** The exponent bits of an element. */
function exponentOf(
  { kind }: UnitDraw,
  format: DrawnFormat,
  h: number,
  { isLargest, gap = 0 }: Place,
): number {
  const u = chosenOf(h);
  const [lowest, count] = format.wide;
  const [large] = format.large;
  switch (kind) {
    case 'bits':
      return u & (2 ** format.exponentBits - 1);
    case 'wide':
    case 'cancel':
    case 'zeros-c':
      return lowest + (u % count);
    case 'one-large':
      return isLargest ? large : Math.max(large - gap - (gap > 0 ? u & 1 : 0), 0);
    case 'subnormal':
      return u & 3;
    case 'all-subnormal':
      return 0;
    case 'underflow':
      return format.bias - (format.exponentBits === 8 ? 76 : 13) + (u % 3);
    default:
      return format.bias - 2 + (u % 4);
  }
}

/** Avoids the pattern of all ones, which is NaN in e4m3. */
const finite = ({ name }: DrawnFormat, exponent: number, fraction: number) =>
  name === 'e4m3' && exponent === 15 && fraction === 7 ? 6 : fraction;

/** The bits of a small integer. */
function bitsOfInteger({ fractionBits, bias }: DrawnFormat, x: number): number {
  if (x === 0) return 0;
  const top = 31 - Math.clz32(Math.abs(x));
  return ((top + bias) << fractionBits) | (((Math.abs(x) << fractionBits) >> top) - (1 << fractionBits));
}

/** The number of zeros among 64 elements. */
const zerosOf = ({ kind }: UnitDraw) => (kind === 'zeros' ? 60 : kind === 'zeros-c' ? 48 : 0);

/** The parts of an element: its sign, and the other bits. */
function partsOf(draw: UnitDraw, format: DrawnFormat, h: number, place: Place): [sign: number, rest: number] {
  const u = chosenOf(h);
  if (draw.kind === 'integers') return [(u % 17) - 8 < 0 ? 1 : 0, bitsOfInteger(format, (u % 17) - 8)];
  let exponent = Math.min(exponentOf(draw, format, h, place), format.most);
  const drawn = h & (2 ** format.fractionBits - 1);
  const by = draw.kind === 'all-subnormal' ? u % (format.fractionBits + 1) : 0;
  let fraction = finite(format, exponent, drawn >> by);
  if (draw.kind === 'special' && chanceOf(h) === 0) {
    const which = u & 3;
    exponent = which < 2 ? 2 ** format.exponentBits - 1 : 0;
    const infinite = format.name === 'e4m3' ? 7 : 0;
    fraction = which === 0 ? infinite : which === 1 ? 2 ** format.fractionBits - 1 : 0;
  }
  if (chanceOf(h) < zerosOf(draw)) [exponent, fraction] = [0, 0];
  return [signOf(h), (exponent << format.fractionBits) | fraction];
}

/** An element that cancels its partner's product, exactly or up to a bit. */
function canceled(draw: UnitDraw, format: DrawnFormat, index: number, distance: number, isOdd: boolean) {
  const h = hashPlace(draw, 'a', isOdd ? index - distance : index);
  const [sign, rest] = partsOf(draw, format, h, {});
  if (!isOdd) return [sign, rest] as const;
  const isPerturbed = chanceOf(hashPlace(draw, 'a', index)) < 32;
  if (!isPerturbed) return [sign ^ 1, rest] as const;
  const [exponent, fraction] = [rest >> format.fractionBits, rest & (2 ** format.fractionBits - 1)];
  return [sign ^ 1, (exponent << format.fractionBits) | finite(format, exponent, fraction ^ 1)] as const;
}

/** The numbers of row `line` of A, or of column `line` of B, of a tile. */
export function lineOf(
  draw: UnitDraw,
  side: UnitSide,
  tile: number,
  line: number,
  isSigned = true,
): Float64Array {
  const k = lengthOf(draw);
  const from = (tile * (side === 'a' ? ROWS : COLUMNS) + line) * k;
  if (draw.format === 'int8')
    return numbers(k, (place) => integerOf(draw, hashPlace(draw, side, from + place), isSigned));
  const format = drawnFormats[draw.format];
  if (draw.kind === 'cancel') {
    const distance = 1 << (tile % (31 - Math.clz32(k)));
    return numbers(k, (place) => {
      const isOdd = (place & distance) !== 0;
      if (side === 'a') return numberOf(format, canceled(draw, format, from + place, distance, isOdd));
      const h = hashPlace(draw, 'b', isOdd ? from + place - distance : from + place);
      return numberOf(format, partsOf(draw, format, h, {}));
    });
  }
  const largest = hashPlace(draw, 'position', tile) % k;
  const gap = hashPlace(draw, side === 'a' ? 'gap-a' : 'gap-b', from / k) % format.large[1];
  const drawn: UnitDraw =
    draw.kind.endsWith('subnormal') && side === 'b' ? { ...draw, kind: 'narrow' } : draw;
  return numbers(k, (place) => {
    const h = hashPlace(draw, side, from + place);
    const number = numberOf(format, partsOf(drawn, format, h, { isLargest: place === largest, gap }));
    return draw.kind === 'low-bits' ? withLowBits(draw, side, number, from + place) : number;
  });
}

function numbers(length: number, of: (at: number) => number): Float64Array {
  const made = new Float64Array(length);
  for (let at = 0; at < length; at++) made[at] = of(at);
  return made;
}

const numberOf = (format: DrawnFormat, [sign, rest]: readonly [number, number]): number =>
  format.decode(sign * 2 ** (format.exponentBits + format.fractionBits) + rest);

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

/** The number that a 32-bit word represents. */
export function floatOf(bits: number): number {
  word[0] = bits;
  return float[0];
}

/** The word that represents a number, rounded to binary32. */
export function wordOf(x: number): number {
  float[0] = x;
  return word[0];
}

/** Adds to a tf32 number the 13 low bits of binary32 that the unit should not read. */
function withLowBits(draw: UnitDraw, side: UnitSide, x: number, index: number): number {
  const low = hashPlace(draw, 'low', side === 'a' ? index : index + 0x40000000) & 8191;
  return floatOf((wordOf(x) | low) >>> 0);
}

function integerOf({ kind }: UnitDraw, h: number, isSigned: boolean): number {
  const u = chosenOf(h);
  const bits =
    kind === 'integers' ? ((u % 17) - 8) & 255 : kind === 'bits' ? u & 255 : [128, 127, 129, 128][u & 3];
  return isSigned && bits > 127 ? bits - 256 : bits;
}

/** The first numbers of row `line` of a library's op(A), or of column `line` of its B. */
export function libraryLineOf(
  { format, kind }: Pick<UnitDraw, 'format' | 'kind'>,
  side: UnitSide,
  line: number,
  k: number,
): Float64Array {
  const draw: UnitDraw = { format, kind, steps: 0 };
  const at = (place: number) =>
    hashPlace(draw, side === 'a' ? 'library-a' : 'library-b', line * 4096 + place);
  if (format === 'int8') return numbers(k, (place) => integerOf(draw, at(place), true));
  const drawn = drawnFormats[format];
  return numbers(k, (place) => numberOf(drawn, partsOf(draw, drawn, at(place), {})));
}
