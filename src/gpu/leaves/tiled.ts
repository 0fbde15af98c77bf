import type { Shape } from '../../matrix/dense.ts';
import { declareBuffer, declareSlots, finishByParams } from './epilogue.ts';
import { type Leaf, leafHead } from './leaf.ts';

/** One invocation an entry; side×side tiles of both operands go through workgroup memory. */
export function tiled(side: number, name: string): Leaf {
  const isWhole = ({ m, k, n }: Shape) => m % side === 0 && k % side === 0 && n % side === 0;
  return {
    name,
    what: `${side}×${side} tiles in workgroup memory`,
    tile: { m: side, k: side, n: side },
    // Two operands of 16 bytes, at most, an invocation.
    needs: { invocations: side * side, bytes: side <= 16 ? 8192 : 8 * side * side },
    variant: (shape) => (isWhole(shape) ? 'whole' : 'guarded'),
    workgroups: (rows, n) => [Math.ceil(n / side), Math.ceil(rows / side)],
    shader(step, numeric) {
      const whole = isWhole(step.shape);
      const loadX = numeric.prepare('x[i * params.k + p + local.x]', 1);
      const loadY = numeric.prepare('y[(p + local.y) * params.n + j]', 1);
      const [fromX, fromY] = [`xs[local.y * ${side}u + q]`, `ys[q * ${side}u + local.x]`];
      const inX = whole ? '' : 'i < params.endRow && p + local.x < params.k';
      const inY = whole ? '' : 'j < params.n && p + local.y < params.k';
      return `${leafHead(numeric)}
${declareBuffer(1, 'x', numeric, 1)}
${declareBuffer(2, 'y', numeric, 1)}
${declareSlots(step.slots, numeric, 1, 3)}
${finishByParams(step, numeric, 1)}
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
}

function guardedLoad(tile: string, load: string, condition: string): string {
  return condition === '' ? `${tile}[at] = ${load};` : `if (${condition}) { ${tile}[at] = ${load}; }`;
}
