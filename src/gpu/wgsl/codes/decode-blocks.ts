import type { Coding } from '../../../precision/coding/coding.ts';
import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import type { BoundRange, Dispatch } from '../dispatch.ts';
import { linearGrid } from '../grids.ts';
import { paramsOf, type RelayoutInput } from '../relayout.ts';
import { addressFunction } from '../window.ts';
import { codedText, type OperandName } from './coded-text.ts';
import { times } from './times.ts';

const WORKGROUP = 64;

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
  const { workgroups, width } = linearGrid(entries, WORKGROUP);
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

const shaderOf = ({ name, coding }: DecodeInput, numeric: Numeric): string => `struct Params {
  entries: u32, width: u32, rows: u32, cols: u32,
  row: u32, col: u32, offset: u32, stride: u32,
  place: u32, size: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> layouts: array<u32>;
@group(0) @binding(3) var<storage, read_write> blocks: array<${numeric.memory(1)}>;
${numeric.prelude}
${times.declaration}
${codedText(name, coding, { codes: 2, factors: 4 })}
${addressFunction}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let e = id.y * params.width + id.x;
  if (e >= params.entries) { return; }
  let j = e % params.cols;
  let i = e / params.cols % params.rows;
  let product = e / params.cols / params.rows;
  let there = params.offset + product * params.stride + i * params.row + j * params.col;
  let here = product * params.size + at(vec4<u32>(0u, 0u, params.place, 0u), i, j);
  blocks[here] = ${stored(`${name}Number(there, i, j, product)`, numeric)};
}`;
