import type { Shape } from '../../../matrix/dense.ts';
import type { PlainTiling } from '../tiling.ts';
import { tileShapeOf } from '../tiling.ts';
import { divides, type LeafShader, leafHead, operandAt } from './leaf-shader.ts';

/** The tiled leaf: one invocation an entry, with square tiles of both operands in workgroup memory. */
export const tiled: LeafShader<PlainTiling> = {
  lanes: false,
  variant: (tiling, shape) => (isWhole(tiling, shape) ? 'whole' : 'guarded'),
  shader(tiling, step, numeric) {
    const side = tiling.depth;
    const whole = isWhole(tiling, step.shape);
    const loadX = operandAt('x', 'i * params.k + p + local.x', numeric);
    const loadY = operandAt('y', '(p + local.y) * params.n + j', numeric);
    const [fromX, fromY] = [`xs[local.y * ${side}u + q]`, `ys[q * ${side}u + local.x]`];
    const inX = whole ? '' : 'i < params.endRow && p + local.x < params.k';
    const inY = whole ? '' : 'j < params.n && p + local.y < params.k';
    return `${leafHead(step, numeric)}
var<workgroup> xs: array<${numeric.operand(1)}, ${side * side}>;
var<workgroup> ys: array<${numeric.operand(1)}, ${side * side}>;
@compute @workgroup_size(${side}, ${side})
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
  let i = params.firstRow + id.y;
  let j = id.x;
  let at = local.y * ${side}u + local.x;
  var sum = ${numeric.zero(1)};
  for (var p = 0u; p < params.k; p += ${side}u) {
    ${guardedLoad('xs', loadX, inX)}
    ${guardedLoad('ys', loadY, inY)}
    workgroupBarrier();
    let depth = min(${side}u, params.k - p);
    for (var q = 0u; q < depth; q++) {
      sum = ${numeric.multiplyAdd(fromX, fromY, 'sum', 1)};
    }
    workgroupBarrier();
  }
  if (i < params.endRow${whole ? '' : ' && j < params.n'}) { finish(i * params.n + j, sum); }
}`;
  },
};

const isWhole = (tiling: PlainTiling, shape: Shape) => divides(tileShapeOf(tiling), shape, tiling.depth);

function guardedLoad(tile: string, load: string, condition: string): string {
  return condition === '' ? `${tile}[at] = ${load};` : `if (${condition}) { ${tile}[at] = ${load}; }`;
}
