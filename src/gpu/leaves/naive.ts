import { declareBuffer, declareSlots, finishFunction } from './epilogue.ts';
import { LEAF_PARAMS, type Leaf } from './leaf.ts';

const SIDE = 8;

/** One invocation an entry, operands read from global memory (Li, Ranka, Sahni 2011; seed kernel matrixMulDG). */
export const naive: Leaf = {
  name: 'naive',
  what: 'one invocation an entry, global memory',
  tile: { m: SIDE, k: 1, n: SIDE },
  variant: ({ m, n }) => (m % SIDE === 0 && n % SIDE === 0 ? 'whole' : 'guarded'),
  workgroups: (rows, n) => [Math.ceil(n / SIDE), Math.ceil(rows / SIDE)],
  shader(step) {
    const guarded = naive.variant(step.shape) === 'guarded';
    return `${LEAF_PARAMS}
${declareBuffer(1, 'x', 'f32')}
${declareBuffer(2, 'y', 'f32')}
${declareSlots(step.slots, 'f32', 3)}
${finishFunction(step, 'f32')}
@compute @workgroup_size(${SIDE}, ${SIDE})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = params.firstRow + id.y;
  let j = id.x;
  ${guarded ? 'if (i >= params.endRow || j >= params.n) { return; }' : 'if (i >= params.endRow) { return; }'}
  var sum = 0.0;
  for (var p = 0u; p < params.k; p++) {
    sum = fma(x[i * params.k + p], y[p * params.n + j], sum);
  }
  finish(i * params.n + j, sum);
}`;
  },
};
