import type { Shape } from '../../../matrix/dense.ts';
import type { MultiplyStep } from '../../../plan/plan.ts';
import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { type PlainTiling, type Tiling, tileShapeOf } from '../tilings.ts';
import { column } from './column.ts';
import { entriesShader, tiled } from './entries-shader.ts';
import type { Leaf } from './leaf.ts';
import { divides, type LeafShader, leafHead, operandAt } from './leaf-shader.ts';
import type { LeafFamily } from './leaves.ts';
import { register } from './register.ts';
import { staged } from './staged.ts';
import { subgroup } from './subgroup.ts';

/** The naive leaf: one invocation an entry, operands read from global memory (matrixMulDG of Dobravec and Bulić, 2017). */
const entry: LeafShader<PlainTiling> = {
  lanes: false,
  variant: (tiling, shape) => (divides(tileShapeOf(tiling), shape) ? 'whole' : 'guarded'),
  shader(tiling, step, numeric) {
    const { across, down } = tiling;
    const guarded = !divides(tileShapeOf(tiling), step.shape);
    return `${leafHead(step, numeric)}
@compute @workgroup_size(${across}, ${down})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = params.firstRow + id.y;
  let j = id.x;
  ${guarded ? 'if (i >= params.endRow || j >= params.n) { return; }' : 'if (i >= params.endRow) { return; }'}
  var sum = ${numeric.zero(1)};
  for (var p = 0u; p < params.k; p++) {
    sum = ${numeric.multiplyAdd(operandAt('x', 'i * params.k + p', numeric), operandAt('y', 'p * params.n + j', numeric), 'sum', 1)};
  }
  finish(i * params.n + j, sum);
}`;
  },
};

const shaders: { readonly [F in LeafFamily]: LeafShader<Tiling & { family: F }> } = {
  entry,
  tiled,
  register,
  staged,
  subgroup,
  column,
};

const shadersOf = ({ family }: Tiling): LeafShader<Tiling> =>
  shaders[family as LeafFamily] as LeafShader<Tiling>;

/**
 * Returns a key of the properties of a leaf's step, other than its updates, on which its shader depends. One pipeline serves all steps of a
 * variant.
 */
export const leafVariant = ({ tiling }: Leaf, shape: Shape): string =>
  shadersOf(tiling).variant(tiling, shape);

/** Returns the WGSL of a leaf's step, with entry point `main`, with bounds checks only in the dimensions that need them. */
export function leafShader({ tiling }: Leaf, step: MultiplyStep, numeric: Numeric): string {
  const { lanes, shader } = shadersOf(tiling);
  return lanes && !numeric.lanes ? entriesShader(tiling, step, numeric) : shader(tiling, step, numeric);
}
