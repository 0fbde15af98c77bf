import type { PlainTiling } from '../tiling.ts';
import { tileShapeOf } from '../tiling.ts';
import { divides, type LeafShader, leafHead, operandAt } from './leaf-shader.ts';

/** The naive leaf: one invocation an entry, operands read from global memory (matrixMulDG of Dobravec and Bulić, 2017). */
export const entry: LeafShader<PlainTiling> = {
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
