import type { CodedMatrix } from '../../matrix/coded.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { allocateEntries } from '../../matrix/operands.ts';
import { decodeElement, factorsFrom, lineAccessOf, listBlocks, scaleAt } from './blocks.ts';
import type { Coding, Operand } from './coding.ts';
import { decodedFormat } from './decoded-format.ts';
import { requireCoded } from './require-coded.ts';

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
