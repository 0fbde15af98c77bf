import type { Coding } from '../../../precision/coding/coding.ts';
import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import type { BoundRange, Dispatch } from '../dispatch.ts';
import { linearGrid } from '../dispatch.ts';
import { paramsHead, paramsOf, type RelayoutInput, VISIT_WORKGROUP, visitEach } from '../relayout.ts';
import { addressFunction } from '../window.ts';
import { codedText, type OperandName } from './coded-text.ts';
import { times } from './coded-words.ts';

/** Coded matrices, and the blocks that receive their numbers. */
export interface DecodeInput extends RelayoutInput {
  readonly name: OperandName;
  readonly coding: Coding;
  /** The words of the operand's factors. */
  readonly factors: BoundRange;
}

/**
 * Returns the dispatch that decodes matrices into the blocks of a plan, one invocation an entry. For coded matrices it replaces the pass
 * that packs numbers. It leaves entries beyond the matrix unchanged.
 */
export function decodeBlocks(of: DecodeInput, numeric: Numeric): Dispatch {
  const { label, rows, cols, range, blocks, factors, count } = of;
  const entries = count * rows * cols;
  const { workgroups, width } = linearGrid(entries, VISIT_WORKGROUP);
  return {
    label,
    shader: shaderOf(of, numeric),
    params: paramsOf(of, width),
    layouts: true,
    blocks: [range, blocks, factors],
    workgroups,
    operations: entries,
  };
}

/** Returns WGSL of a number as memory holds it. */
const stored = (number: string, { ofNumber, store }: Numeric): string =>
  ofNumber === undefined ? number : store(ofNumber(number), 1);

const shaderOf = (
  { name, coding }: DecodeInput,
  numeric: Numeric,
): string => `${paramsHead()}@group(0) @binding(3) var<storage, read_write> blocks: array<${numeric.memory(1)}>;
${numeric.prelude}
${times.declaration}
${codedText(name, coding, { codes: 2, factors: 4 })}
${addressFunction}
${visitEach(`blocks[here] = ${stored(`${name}Number(there, i, j, product)`, numeric)};`)}`;
