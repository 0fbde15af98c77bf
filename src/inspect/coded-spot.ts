import type { Matrix } from '../matrix/dense.ts';
import { blockIndexOf, factorOfEntry } from '../precision/coding/blocks.ts';
import type { BlockScale, Operand } from '../precision/coding/coding.ts';
import { factorNear } from './operand-format.ts';
import type { InspectionSession } from './session.ts';

/** Multiplier of the factor of the block with the huge entry, where no other line shares the factor. */
const HUGE = 2 ** 10;

/**
 * Makes an operand of few bits with one huge entry: the entry is the largest of its format, and its block's factor is multiplied. The
 * block's other entries are zero, since none keeps its bits beside so large an entry. Only other lines are compared.
 */
export function withHugeElement(
  session: InspectionSession,
  of: Operand,
  { row, col }: { readonly row: number; readonly col: number },
  x: Matrix,
): Matrix {
  const { coding, format } = session.side(of);
  const [spotLine, spotPlace] = of === 'a' ? [row, col] : [col, row];
  const codes = session.codesOf(x);
  const { rows, cols } = x;
  const at = (line: number, place: number) => (of === 'a' ? line * cols + place : place * cols + line);
  const zero = session.side(of).zero;
  const elementOf = (line: number, place: number) => (codes?.elements ?? x).data[at(line, place)] - zero;
  const isSpot = (line: number, place: number) => line === spotLine && place === spotPlace;
  const [scale] = coding?.scales ?? [];
  if (scale === undefined || codes === undefined || scale.lines > 1) {
    const known = codes?.scales;
    return session.coded(
      of,
      rows,
      cols,
      (line, place) => (isSpot(line, place) ? format.maxFinite : elementOf(line, place)),
      (line, place, level) => factorAt(known?.[level], coding?.scales[level], line, place),
    );
  }
  const isInBlock = (line: number, place: number) =>
    line === spotLine && blockIndexOf(line, place, scale).col === blockIndexOf(line, spotPlace, scale).col;
  return session.coded(
    of,
    rows,
    cols,
    (line, place) =>
      isSpot(line, place) ? format.maxFinite : isInBlock(line, place) ? 0 : elementOf(line, place),
    (line, place, level) => {
      const own = factorAt(codes.scales[level], coding?.scales[level], line, place);
      const isOther = level > 0 || !isInBlock(line, place);
      return isOther ? own : factorNear(own * HUGE, scale);
    },
  );
}

/** Returns the factor of the block that begins at a line and place; 1 where there are none. */
const factorAt = (
  scales: Matrix | undefined,
  block: BlockScale | undefined,
  line: number,
  place: number,
): number => (scales === undefined || block === undefined ? 1 : factorOfEntry(scales, block, line, place));
