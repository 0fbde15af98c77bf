import type { CombineStep } from '../plan/plan.ts';
import { declareSlots, finishFunction } from './leaves/epilogue.ts';

/** Invocations a workgroup of a linear pass has. */
export const COMBINE_WORKGROUP = 64;

/**
 * The WGSL of a combine step: one linear pass over the slots' ranges, four entries an invocation. Bindings are 0:
 * the number of vectors and the width of the grid in invocations, 1…: the slots.
 */
export function combineShader(step: CombineStep): string {
  return `struct Params { count: u32, width: u32 }
@group(0) @binding(0) var<uniform> params: Params;
${declareSlots(step.slots, 'vec4<f32>', 1)}
${finishFunction(step, 'vec4<f32>')}
@compute @workgroup_size(${COMBINE_WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let e = id.y * params.width + id.x;
  if (e < params.count) { finish(e, vec4<f32>()); }
}`;
}
