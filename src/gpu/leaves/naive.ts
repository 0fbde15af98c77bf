import type { Shape } from '../../matrix/dense.ts';
import { declareBuffer, declareSlots, finishByParams } from './epilogue.ts';
import { type Leaf, leafHead } from './leaf.ts';

/**
 * One invocation an entry, side×side of them a workgroup, operands read from global memory (matrixMulDG of
 * Dobravec and Bulić, 2017).
 */
export function naive(side: number, name: string): Leaf {
  const variant = ({ m, n }: Shape) => (m % side === 0 && n % side === 0 ? 'whole' : 'guarded');
  return {
    name,
    what: `one invocation an entry, ${side}×${side} a workgroup, global memory`,
    tile: { m: side, k: 1, n: side },
    variant,
    workgroups: (rows, n) => [Math.ceil(n / side), Math.ceil(rows / side)],
    shader(step, numeric) {
      const entry = (text: string) => numeric.prepare(text, 1);
      const guarded = variant(step.shape) === 'guarded';
      return `${leafHead(numeric)}
${declareBuffer(1, 'x', numeric, 1)}
${declareBuffer(2, 'y', numeric, 1)}
${declareSlots(step.slots, numeric, 1, 3)}
${finishByParams(step, numeric, 1)}
@compute @workgroup_size(${side}, ${side})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = params.firstRow + id.y;
  let j = id.x;
  ${guarded ? 'if (i >= params.endRow || j >= params.n) { return; }' : 'if (i >= params.endRow) { return; }'}
  var sum = ${numeric.zero(1)};
  for (var p = 0u; p < params.k; p++) {
    sum = ${numeric.multiplyAdd(entry('x[i * params.k + p]'), entry('y[p * params.n + j]'), 'sum', 1)};
  }
  finish(i * params.n + j, sum);
}`;
    },
  };
}
