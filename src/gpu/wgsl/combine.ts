import type { CombineStep } from '../../plan/plan.ts';
import type { Numeric, Width } from '../../precision/wgsl/numeric.ts';
import { declareSlots, finishFunction } from './leaves/epilogue.ts';

/** The invocations of a linear pass's workgroup. With half as many, a wide plan of three levels took longer on an H200. */
export const COMBINE_WORKGROUP = 128;

/**
 * Returns the WGSL of a combine step: one linear pass over the slots' ranges, four entries an invocation if the precision has lanes.
 * Bindings are 0: the number of indices and the width of the grid in invocations, 1…: the slots.
 */
export function combineShader(step: CombineStep, numeric: Numeric): string {
  const width = combineWidth(numeric);
  return `${numeric.enables}struct Params { count: u32, width: u32, zero: u32 }
@group(0) @binding(0) var<uniform> params: Params;
${numeric.prelude}
${declareSlots(step.slots, numeric, width, 1)}
${finishFunction(step, numeric, width)}
@compute @workgroup_size(${COMBINE_WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let e = id.y * params.width + id.x;
  if (e < params.count) { finish(e, ${numeric.zero(width)}); }
}`;
}

/** Returns the entries that an invocation adds. */
export const combineWidth = (numeric: Numeric): Width => (numeric.lanes ? 4 : 1);
