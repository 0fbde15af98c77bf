import type { Matrix } from '../../matrix/dense.ts';
import { allocateEntries, type CodedMatrix } from '../../matrix/operands.ts';
import { type Format, f32, holdsZero } from '../format.ts';
import { badCoded } from '../messages.ts';
import {
  type BlockScale,
  type Coding,
  decodedFormat,
  decodeElement,
  factorsFrom,
  lineAccessOf,
  listBlocks,
  type Operand,
  scaleAt,
  scaleSize,
} from './coding.ts';

/**
 * Decodes elements and factors exactly to a matrix of the same size, in the format of `decodedFormat`.
 * @throws ParanoiaError `bad-coded` for factors of another shape, or that no kernel could multiply by; elements that the format does not
 * hold; numbers beyond binary32 if that is the decoded format.
 */
export function decodeCoded(coded: CodedMatrix, side: Operand, coding: Coding): Matrix {
  requireCoded(coded, side, coding);
  return decodeValid(coded, side, coding);
}

/** Decodes a coded matrix that is known to be valid: see {@link decodeCoded}. */
export function decodeValid({ elements, scales, zeros }: CodedMatrix, side: Operand, coding: Coding): Matrix {
  const { rows, cols, data } = elements;
  const { lines, entries, at } = lineAccessOf(elements, side);
  const out = allocateEntries(decodedFormat(coding), data.length);
  const smallest = coding.scales[0];
  // A zero times a negative factor is still +0. In other codings zeros keep their sign, to which −0 adds nothing.
  const plain = coding.scales.some(({ signed }) => signed === true) ? 0 : -0;
  for (const block of listBlocks({ lines: [0, lines], entries: [0, entries] }, smallest)) {
    const { factor, minimum } = factorsFrom(
      coding.scales,
      (level) => scales[level].data[scaleAt(block, coding.scales[level], scales[level])],
    );
    const zero = zeros === undefined ? 0 : zeros.data[scaleAt(block, smallest, zeros)];
    for (let line = block.lines[0]; line < block.lines[1]; line++) {
      for (let entry = block.entries[0]; entry < block.entries[1]; entry++) {
        const place = at(line, entry);
        out[place] = decodeElement(data[place], zero, factor, minimum) + plain;
      }
    }
  }
  return { rows, cols, data: out };
}

/**
 * Refuses codes that no kernel could receive.
 * @throws ParanoiaError `bad-coded`
 */
export function requireCoded(coded: CodedMatrix, side: Operand, coding: Coding): void {
  const why = refusal(coded, side, coding);
  if (why !== undefined) throw badCoded({ operand: side.toUpperCase(), why });
}

function refusal(coded: CodedMatrix, side: Operand, coding: Coding): string | undefined {
  const { elements, scales, zeros } = coded;
  if (scales.length !== coding.scales.length)
    return `the number of its tensors of scales is ${scales.length}, but its coding has ${coding.scales.length}`;
  for (const [level, of] of coding.scales.entries()) {
    const why =
      wrongSize('scales', scales[level], scaleSize(elements, side, of)) ??
      wrongScale(scales[level], of, coding.element);
    if (why !== undefined) return why;
  }
  return (
    wrongZeros(zeros, scaleSize(elements, side, coding.scales[0]), coding) ??
    wrongElement(elements, coding.element) ??
    tooLarge(coded, coding)
  );
}

const shown = ({ rows, cols }: Pick<Matrix, 'rows' | 'cols'>): string => `${rows}×${cols}`;

function wrongSize(what: string, found: Matrix, need: Pick<Matrix, 'rows' | 'cols'>): string | undefined {
  if (found.rows === need.rows && found.cols === need.cols && found.data.length === need.rows * need.cols)
    return undefined;
  return `its ${what} are ${shown(found)} with ${found.data.length} entries, but blocks of its size need ${shown(need)}`;
}

/** Describes the first wrong entry and its place; undefined if there is none. */
function firstWrong(
  { data, cols }: Matrix,
  what: string,
  wrong: (x: number) => string | undefined,
): string | undefined {
  for (let at = 0; at < data.length; at++) {
    const why = wrong(data[at]);
    if (why !== undefined) return `${what} (${Math.floor(at / cols)}, ${at % cols}) is ${data[at]}, ${why}`;
  }
  return undefined;
}

const wrongScale = (
  scales: Matrix,
  { format, signed = false, subtracted = false }: BlockScale,
  element: Format,
): string | undefined =>
  firstWrong(scales, 'its scale', (x) => {
    if (Number.isNaN(x))
      return `which makes its whole block NaN${format.name === 'e8m0' ? ' (the pattern 0xFF of e8m0)' : ''}`;
    if (!Number.isFinite(x)) return 'and a scale must be finite';
    // Superblocks have factors of whole numbers, and blocks of them may be zero. Without an element 0, no other factor makes a block zero.
    if (x === 0 && !subtracted && format.minSubnormal !== 1 && holdsZero(element))
      return 'which makes its whole block zero';
    if (x < 0 && !signed) return 'and a scale must be above zero';
    return holdsNumber(format, x) ? undefined : `which ${format.name} does not hold`;
  });

function wrongZeros(
  zeros: Matrix | undefined,
  size: Pick<Matrix, 'rows' | 'cols'>,
  { zero }: Coding,
): string | undefined {
  if (zero === undefined)
    return zeros === undefined ? undefined : 'it has zero points, but its coding has none';
  if (zeros === undefined) return 'it has no zero points, but its coding needs them';
  return (
    wrongSize('zero points', zeros, size) ??
    firstWrong(zeros, 'its zero point', (x) =>
      holdsNumber(zero, x) ? undefined : `which ${zero.name} does not hold`,
    )
  );
}

const wrongElement = (elements: Matrix, element: Format): string | undefined =>
  firstWrong(elements, 'its element', (x) =>
    Number.isNaN(x) || holdsNumber(element, x) ? undefined : `which ${element.name} does not hold`,
  );

/** True if a format holds a number. Infinities, if the format has them, are held too. */
const holdsNumber = ({ round }: Format, x: number): boolean => round(x) === x;

/** Describes the first scale with which the largest element exceeds binary32, if that is the decoded format. */
function tooLarge({ scales }: CodedMatrix, coding: Coding): string | undefined {
  if (decodedFormat(coding) !== f32) return undefined;
  const { element } = coding;
  return firstWrong(scales[0], 'its scale', (x) =>
    Math.abs(x) * element.maxFinite <= f32.maxFinite
      ? undefined
      : `which brings the largest ${element.name} beyond binary32`,
  );
}
