import type { Random } from '../../base/random.ts';
import type { CodedMatrix } from '../../matrix/coded.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { type LineAccess, type Region, scaleAt } from './blocks.ts';
import type { Coding } from './coding.ts';
import { type BlockParameters, elementsOf } from './fill.ts';

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
