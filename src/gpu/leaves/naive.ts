import { declareBuffer, declareSlots, finishFunction } from './epilogue.ts';
import { type Leaf, leafHead } from './leaf.ts';

const SIDE = 8;

/** One invocation an entry, operands read from global memory (Li, Ranka, Sahni 2011; seed kernel matrixMulDG). */
export const naive: Leaf = {
  name: 'naive',
  what: 'one invocation an entry, global memory',
  tile: { m: SIDE, k: 1, n: SIDE },
  variant: ({ m, n }) => (m % SIDE === 0 && n % SIDE === 0 ? 'whole' : 'guarded'),
  workgroups: (rows, n) => [Math.ceil(n / SIDE), Math.ceil(rows / SIDE)],
  shader(step, numeric) {
    const entry = (text: string) => numeric.prepare(text, 1);
    const guarded = naive.variant(step.shape) === 'guarded';
    return `${leafHead(numeric)}
${declareBuffer(1, 'x', numeric, 1)}
${declareBuffer(2, 'y', numeric, 1)}
${declareSlots(step.slots, numeric, 1, 3)}
${finishFunction(step, numeric, 1)}
@compute @workgroup_size(${SIDE}, ${SIDE})
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
