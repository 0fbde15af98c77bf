import { type MatrixLayout, stepsOf } from '../../matrix/gemm.ts';
import type { BlockLayout } from '../../plan/layout.ts';
import { POISON } from '../../precision/entries.ts';
import type { Numeric } from '../../precision/wgsl/numeric.ts';
import type { RoundingFunction } from '../../precision/wgsl/rounding.ts';
import { type BoundRange, type Dispatch, linearGrid } from './dispatch.ts';
import { rangeBehind } from './dispatches.ts';
import { addressFunction } from './window.ts';

/** Invocations of a workgroup that visits entries. */
export const VISIT_WORKGROUP = 64;

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
  const { workgroups, width } = linearGrid(entries, VISIT_WORKGROUP);
  return {
    label,
    shader: shaderOf(way === 'gather' ? 'blocks[here] = laid[there];' : 'laid[there] = blocks[here];', words),
    params: paramsOf(of, width),
    layouts: true,
    blocks: [range, blocks],
    workgroups,
    operations: entries,
  };
}

/** The steps behind complete sums, and the rounding of their results if these are narrower than sums. */
export interface StepsBehind {
  readonly behind: NonNullable<Numeric['behind']>;
  readonly result?: RoundingFunction | undefined;
}

/** Returns the dispatch that copies blocks of sums into matrices, each behind its steps. Words that were never written stay so. */
export function scatterBehind(of: RelayoutInput, { behind, result }: StepsBehind): Dispatch {
  const { params, blocks, ...dispatch } = makeRelayout(of, 'scatter', 1);
  const finite = '(bitcast<u32>(y) & 0x7f800000u) != 0x7f800000u';
  const rounded = result === undefined ? 'y' : `select(y, ${result.name}(y), ${finite})`;
  return {
    ...dispatch,
    shader: shaderOf(
      `let word = blocks[here];
  if (word == ${POISON}u) { laid[there] = word; return; }
  let y = behind(bitcast<f32>(word), product, i, j);
  laid[there] = bitcast<u32>(${rounded});`,
      1,
      `${result?.declaration ?? ''}\n${behind.declare(4)}`,
    ),
    params: [...params, 0],
    blocks: [...blocks, rangeBehind(behind)],
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

/** Returns the params of a shader that visits all entries, and the layout words, in WGSL. */
export const paramsHead = (further = ''): string => `struct Params {
  entries: u32, width: u32, rows: u32, cols: u32,
  row: u32, col: u32, offset: u32, stride: u32,
  place: u32, size: u32,${further}
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> layouts: array<u32>;
`;

/** Returns the entry point of such a shader. @param visit WGSL of an entry: `product`, i, j; `there` in a matrix, `here` in blocks. */
export const visitEach = (visit: string): string => `@compute @workgroup_size(${VISIT_WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let e = id.y * params.width + id.x;
  if (e >= params.entries) { return; }
  let j = e % params.cols;
  let i = e / params.cols % params.rows;
  let product = e / params.cols / params.rows;
  let there = params.offset + product * params.stride + i * params.row + j * params.col;
  let here = product * params.size + at(vec4<u32>(0u, 0u, params.place, 0u), i, j);
  ${visit}
}`;

/**
 * Returns a shader that visits all entries.
 * @param visit WGSL of an entry. @param declared further declarations, which may read `params.zero`.
 */
const shaderOf = (visit: string, words: 1 | 2, declared = ''): string => {
  const type = words === 2 ? 'vec2<u32>' : 'u32';
  return `${paramsHead(declared === '' ? '' : ' zero: u32,')}@group(0) @binding(2) var<storage, read_write> laid: array<${type}>;
@group(0) @binding(3) var<storage, read_write> blocks: array<${type}>;
${addressFunction}
${declared}
${visitEach(visit)}`;
};
