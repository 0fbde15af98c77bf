import { type MatrixLayout, stepsOf } from '../../matrix/gemm.ts';
import type { BlockLayout } from '../../plan/layout.ts';
import type { BoundRange, Dispatch } from './dispatch.ts';
import { linearGrid } from './grids.ts';
import { addressFunction } from './window.ts';

const WORKGROUP = 64;

/** The same matrices in two places: in a BLAS layout, and as blocks of a plan. */
export interface RelayoutInput {
  readonly label: string;
  readonly rows: number;
  readonly cols: number;
  readonly laid: MatrixLayout;
  /** The range of the matrices, from its beginning on. */
  readonly range: BoundRange;
  readonly layout: BlockLayout;
  /** The index of the layout's words among those of the program. */
  readonly layoutAt: number;
  /** The blocks, one after the other. */
  readonly blocks: BoundRange;
  readonly count: number;
}

/**
 * Returns the dispatch that copies matrices into blocks, or blocks into matrices, word by word, one invocation an entry. It leaves entries
 * beyond the matrix unchanged.
 * @param words the words of an entry.
 */
export function makeRelayout(of: RelayoutInput, way: 'gather' | 'scatter', words: 1 | 2): Dispatch {
  const { label, rows, cols, range, blocks, count } = of;
  const entries = count * rows * cols;
  const { workgroups, width } = linearGrid(entries, WORKGROUP);
  return {
    label,
    shader: shaderOf(way, words),
    params: paramsOf(of, width),
    layouts: true,
    blocks: [range, blocks],
    workgroups,
    operations: entries,
  };
}

/** Returns the params of a shader that visits all entries. @param width the width of the grid, in invocations. */
export function paramsOf(
  { rows, cols, laid, layout, layoutAt, count }: RelayoutInput,
  width: number,
): readonly number[] {
  const { row, col } = stepsOf(laid);
  const entries = count * rows * cols;
  return [entries, width, rows, cols, row, col, laid.offset, laid.stride, layoutAt, layout.size];
}

const shaderOf = (way: 'gather' | 'scatter', words: 1 | 2): string => {
  const type = words === 2 ? 'vec2<u32>' : 'u32';
  return `struct Params {
  entries: u32, width: u32, rows: u32, cols: u32,
  row: u32, col: u32, offset: u32, stride: u32,
  place: u32, size: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> layouts: array<u32>;
@group(0) @binding(2) var<storage, read_write> laid: array<${type}>;
@group(0) @binding(3) var<storage, read_write> blocks: array<${type}>;
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
  ${way === 'gather' ? 'blocks[here] = laid[there];' : 'laid[there] = blocks[here];'}
}`;
};
