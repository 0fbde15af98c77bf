import { exponentOf, lowestBit } from '../../base/binary64.ts';
import type { Random } from '../../base/random.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { CodedMatrix } from '../../matrix/operands.ts';
import type { Format } from '../format.ts';
import { type LineAccess, type Region, scaleAt } from './blocks.ts';
import type { Coding } from './coding.ts';
import { type BlockParameters, type Ends, elementsOf, endsOf } from './fill.ts';

/** A range of exponents of powers of two, both ends included. */
export interface Exponents {
  readonly least: number;
  readonly most: number;
}

export const ANY: Exponents = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
export const NONE: Exponents = { least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY };
/** The binades above the smallest possible factor in which a factor is drawn; for a block of zeros, on both sides of 1. */
const DRAWN = 8;

/** Returns the range of powers of two in a format of factors. */
export const powersOf = ({ minSubnormal, maxFinite }: Format): Exponents => ({
  least: exponentOf(minSubnormal),
  most: exponentOf(maxFinite),
});

/** Returns the powers of two that scale all numbers to elements exactly; undefined if there are none. Zeros allow any. */
export function exactPowers(values: Float64Array, { element, zero }: Coding): Exponents | undefined {
  const { largest, smallest, lowest } = extentOf(values);
  if (lowest === Number.POSITIVE_INFINITY) return ANY;
  const [ends, last] = [endsOf(element), exponentOf(element.minSubnormal)];
  const fits =
    zero === undefined ? within(ends) : ({ least, most }: Ends) => most - least <= ends.most - ends.least;
  let least = exponentOf(Math.max(largest, -smallest)) - exponentOf(element.maxFinite) - 1;
  while (!fits({ least: smallest * 2 ** -least, most: largest * 2 ** -least })) least++;
  const most = lowest - last;
  if (least > most) return undefined;
  const inverse = 2 ** -least;
  const isHeld = (x: number) => !Number.isFinite(x) || element.round(x * inverse) === x * inverse;
  return zero !== undefined || values.every(isHeld) ? { least, most } : undefined;
}

const within =
  (ends: Ends) =>
  ({ least, most }: Ends): boolean =>
    least >= ends.least && most <= ends.most;

/** Returns the largest and the smallest of the finite numbers and 0, and the least exponent of a lowest bit among nonzero numbers. */
function extentOf(values: Float64Array) {
  let [largest, smallest, lowest] = [0, 0, Number.POSITIVE_INFINITY];
  for (const x of values) {
    if (x === 0 || !Number.isFinite(x)) continue;
    if (x > largest) largest = x;
    if (x < smallest) smallest = x;
    lowest = Math.min(lowest, lowestBit(x));
  }
  return { largest, smallest, lowest };
}

/** Returns the intersection of two ranges. */
export const intersectRanges = (a: Exponents, b: Exponents): Exponents => ({
  least: Math.max(a.least, b.least),
  most: Math.min(a.most, b.most),
});

/**
 * Picks an exponent from the intersection of two ranges: the least, or, if `span` has no least, the one nearest to 0. With random
 * numbers it is drawn from those a few binades above. Undefined if the intersection is empty.
 */
export function pickExponent(span: Exponents, of: Exponents, random: Random | undefined): number | undefined {
  const { least, most } = intersectRanges(span, of);
  if (least > most) return undefined;
  const isAny = span.least === Number.NEGATIVE_INFINITY;
  const within = (exponent: number) => Math.min(most, Math.max(least, exponent));
  const low = isAny ? within(random === undefined ? 0 : -DRAWN) : least;
  return random === undefined ? low : random.int(low, within(low + (isAny ? 2 : 1) * DRAWN));
}

/** A matrix in the course of coding. */
export interface CodingState {
  readonly x: Matrix;
  readonly lying: LineAccess;
  readonly coding: Coding;
  readonly made: CodedMatrix;
  readonly random: Random | undefined;
}

/** Returns the numbers of a block, line by line. */
export function readBlockValues({ x, lying }: CodingState, { lines, entries }: Region): Float64Array {
  const values = new Float64Array((lines[1] - lines[0]) * (entries[1] - entries[0]));
  let at = 0;
  for (let line = lines[0]; line < lines[1]; line++) {
    for (let entry = entries[0]; entry < entries[1]; entry++) values[at++] = x.data[lying.at(line, entry)];
  }
  return values;
}

/** Stores the elements of a block, its own factor (without that of larger blocks), and its zero point. */
export function storeBlock(
  { coding, made, lying }: CodingState,
  block: Region,
  values: Float64Array,
  factors: BlockParameters,
  outer = 1,
): void {
  const { scales, zeros, elements } = made;
  const [smallest] = coding.scales;
  scales[0].data[scaleAt(block, smallest, scales[0])] = factors.factor / outer;
  if (zeros !== undefined) zeros.data[scaleAt(block, smallest, zeros)] = factors.zero ?? 0;
  const element = elementsOf(coding.element, factors);
  let at = 0;
  for (let line = block.lines[0]; line < block.lines[1]; line++) {
    for (let entry = block.entries[0]; entry < block.entries[1]; entry++) {
      elements.data[lying.at(line, entry)] = element(values[at++]);
    }
  }
}
