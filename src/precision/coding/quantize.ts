import { exponentOf } from '../../base/binary64.ts';
import type { Random } from '../../base/random.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { CodedMatrix, QuantizedMatrix } from '../../matrix/operands.ts';
import { type Format, f32 } from '../format.ts';
import {
  type Coding,
  decodedFormat,
  hasMinima,
  lineAccessOf,
  listBlocks,
  type Operand,
  type Region,
  scaleAt,
  scaleSize,
} from './coding.ts';
import { decodeValid } from './decode-coded.ts';
import {
  ANY,
  type CodingState,
  type Exponents,
  exactPowers,
  extentOf,
  factorFor,
  intersectRanges,
  largestMagnitudeOf,
  NONE,
  pickExponent,
  powersOf,
  readBlockValues,
  signedFactor,
  storeBlock,
  withZeroPoint,
} from './factors.ts';
import { type BlockParameters, type Ends, endsOf } from './fill.ts';
import { quantizeSuperblock } from './quantize-minima.ts';

/**
 * Codes a matrix, with its size after op, as elements and factors. A block that elements hold exactly after division by some power of
 * two is coded with that power. Other blocks follow the recipe of their kind of factor. Without random numbers this is a projection:
 * decoding and coding again gives the same numbers, bit for bit.
 * With random numbers, powers of two, signs of signed factors, and zero points are drawn, if that changes no number, so that those of
 * neighboring blocks differ.
 * Cost: 40 to 200 ns an entry.
 * @param coding a coding with one level of factors, or two; the second level has larger blocks, and no zero points. With minima, it has two
 * levels of both: a scale and a minimum of blocks, then those of superblocks. With elements of a table, it has one level of signed factors.
 * @throws ParanoiaError `not-stored` for NaN and infinities if elements have none.
 */
export function quantize(x: Matrix, side: Operand, coding: Coding, random?: Random): QuantizedMatrix {
  const lying = lineAccessOf(x, side);
  const made = emptyCoded(x, side, coding);
  const whole: Region = { lines: [0, lying.lines], entries: [0, lying.entries] };
  const work = { x, lying, coding, made, random };
  const [, outer] = coding.scales;
  if (hasMinima(coding))
    for (const block of listBlocks(whole, coding.scales[2])) quantizeSuperblock(work, block);
  else if (outer === undefined)
    for (const block of listBlocks(whole, coding.scales[0])) quantizeBlock(work, block);
  else for (const block of listBlocks(whole, outer)) quantizeBlocks(work, block);
  return { coded: made, decoded: decodeValid(made, side, coding) };
}

function emptyCoded({ rows, cols, data }: Matrix, side: Operand, coding: Coding): CodedMatrix {
  const sized = (of: { readonly rows: number; readonly cols: number }): Matrix => ({
    ...of,
    data: new Float32Array(of.rows * of.cols),
  });
  const scales = coding.scales.map((of) => sized(scaleSize({ rows, cols }, side, of)));
  const elements = { rows, cols, data: new Float32Array(data.length) };
  return { elements, scales, ...(coding.zero === undefined ? {} : { zeros: sized(scales[0]) }) };
}

/** Codes a block with one level of factors. */
function quantizeBlock(work: CodingState, block: Region): void {
  const { coding, random } = work;
  const values = readBlockValues(work, block);
  const { numbers } = coding.element;
  if (numbers !== undefined) {
    storeBlock(work, block, values, tableFactor(values, coding, numbers, random));
    return;
  }
  const exact = exactPowers(values, coding);
  const exponent = exact && pickExponent(exact, innerPowers(coding), random);
  storeBlock(
    work,
    block,
    values,
    exponent === undefined ? recipeFor(values, 1, coding) : exactly(values, exponent, work),
  );
}

/**
 * Codes a block of the second level and its inner blocks: all by powers of two, or all by their recipe, except blocks of zeros, for
 * which any factor will do.
 */
function quantizeBlocks(work: CodingState, block: Region): void {
  const { coding, made, random } = work;
  const [inner, outer] = coding.scales;
  const { reached, free, size } = reachOfBlock(work, block);
  const powers = powersOf(outer.format);
  const exponent = pickExponent(free, powers, random) ?? pickExponent(reached, powers, random);
  const factor =
    exponent === undefined
      ? factorFor(size / inner.format.maxFinite, 1, outer, coding.element)
      : 2 ** exponent;
  made.scales[1].data[scaleAt(block, outer, made.scales[1])] = factor;
  for (const region of listBlocks(block, inner)) {
    const values = readBlockValues(work, region);
    const isByPower = exponent !== undefined || largestMagnitudeOf(extentOf(values)) === 0;
    const exact = isByPower ? exactPowers(values, coding) : undefined;
    const own = exact && pickExponent(shifted(exact, -(exponent ?? 0)), innerPowers(coding), random);
    const factors =
      own === undefined
        ? recipeFor(values, factor, coding)
        : exponent === undefined
          ? { factor: 2 ** own * factor }
          : exactly(values, own + exponent, work);
    storeBlock(work, region, values, factors, factor);
  }
}

const shifted = ({ least, most }: Exponents, by: number): Exponents => ({
  least: least + by,
  most: most + by,
});

/** Returns a power of two as factor; its sign and zero point, if any, are drawn. */
function exactly(values: Float64Array, exponent: number, { coding, random }: CodingState): BlockParameters {
  const { scales, zero } = coding;
  const factor = 2 ** exponent;
  if (zero !== undefined) return { factor, zero: drawZero(exactZeros(values, factor, coding), random) };
  const { least } = extentOf(values);
  const isEither = scales[0].signed === true && -least / factor <= coding.element.maxFinite;
  return { factor: isEither && random !== undefined ? random.sign() * factor : factor };
}

/** Returns the range of zero points with which elements hold all numbers of a block, divided by the factor, exactly. */
function exactZeros(values: Float64Array, factor: number, { element }: Coding): Ends {
  const [ends, { least, most }] = [endsOf(element), extentOf(values)];
  return { least: ends.least - least / factor, most: ends.most - most / factor };
}

/** Returns one of a range of zero points: drawn, or the least. */
const drawZero = ({ least, most }: Ends, random: Random | undefined): number =>
  random === undefined ? least : random.int(least, most);

function recipeFor(values: Float64Array, outer: number, coding: Coding): BlockParameters {
  const extent = extentOf(values);
  const [of] = coding.scales;
  if (coding.zero !== undefined) return withZeroPoint(extent, coding);
  if (of.signed === true && coding.scales.length === 1)
    return { factor: signedFactor(extent, of, coding.element) };
  return {
    factor: factorFor(largestMagnitudeOf(extent), outer, of, coding.element) * outer,
    isSymmetric: true,
  };
}

/**
 * Returns the factor of a block whose elements are numbers of a table, with one level of signed factors.
 * - A block of zeros has the factor 0 where the table has no 0.
 * - A block that some factor codes exactly has such a factor, a drawn one with random numbers.
 * - Other whole numbers become multiples of a power of two, so that their sums stay exact.
 * - The largest of other numbers becomes the smallest element, as in llama.cpp's `quantize_row_iq4_nl_ref`.
 */
function tableFactor(
  values: Float64Array,
  { element, scales: [scale] }: Coding,
  numbers: readonly number[],
  random: Random | undefined,
): BlockParameters {
  const extent = extentOf(values);
  const size = largestMagnitudeOf(extent);
  if (size === 0 && !numbers.includes(0)) return { factor: 0 };
  const exact = numbers
    .map((x) => scale.format.round((-extent.least > extent.most ? -size : size) / x))
    .filter((factor) => isCodedExactly(values, factor, element));
  if (exact.length > 0) return { factor: exact[random?.int(0, exact.length - 1) ?? 0] };
  const byRecipe = signedFactor(extent, scale, element);
  const power = values.every(Number.isInteger) ? powerFor(size, scale.format, element) : undefined;
  if (power === undefined) return { factor: byRecipe };
  return { factor: (random?.sign() ?? Math.sign(byRecipe)) * power };
}

function isCodedExactly(values: Float64Array, factor: number, { round }: Format): boolean {
  if (factor === 0 || !Number.isFinite(factor)) return false;
  return values.every((x) => round(x / factor) === x / factor);
}

/** Returns the least power of two by which elements reach a size; undefined where the format of factors has none. */
function powerFor(size: number, format: Format, element: Format): number | undefined {
  const { least } = endsOf(element);
  const exponent = exponentOf(size / -least) + 1;
  const powers = powersOf(format);
  return exponent < powers.least || exponent > powers.most ? undefined : 2 ** exponent;
}

/** Returns the powers of two for the smallest blocks with which the largest element fits the decoded format. */
function innerPowers(coding: Coding): Exponents {
  const { least, most } = powersOf(coding.scales[0].format);
  const ceiling = decodedFormat(coding) === f32 ? powersOf(f32).most - powersOf(coding.element).most : most;
  return { least, most: Math.min(most, ceiling) };
}

/** The choices that the blocks of a larger block leave for its factor. */
interface ScaleReach {
  /** The powers of two of the larger factor with which all its blocks can be exact. */
  readonly reached: Exponents;
  /** Those of them that allow every block all the powers that it could have alone. */
  readonly free: Exponents;
  /** The largest magnitude of all blocks. */
  readonly size: number;
}

function reachOfBlock(work: CodingState, block: Region): ScaleReach {
  const [inner] = work.coding.scales;
  const own = powersOf(inner.format);
  let [reached, free, size] = [ANY, ANY, 0];
  for (const region of listBlocks(block, inner)) {
    const values = readBlockValues(work, region);
    const extent = largestMagnitudeOf(extentOf(values));
    if (extent === 0) continue;
    const exact = exactPowers(values, work.coding) ?? NONE;
    reached = intersectRanges(reached, { least: exact.least - own.most, most: exact.most - own.least });
    free = intersectRanges(free, { least: exact.most - own.most, most: exact.least - own.least });
    size = Math.max(size, extent);
  }
  return { reached, free: intersectRanges(free, reached), size };
}
