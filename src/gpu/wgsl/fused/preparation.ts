import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';
import { scaleFunction } from './scale.ts';

/** The invocations of a preparation's workgroup. */
export const PREPARATION_WORKGROUP = 64;

/**
 * Returns the WGSL that prepares C for products that are added in any order: C = 0, or C = beta·C. Bindings are 0: the number of entries,
 * the width of the grid in invocations, and beta; 1: C.
 */
export function preparationShader(scaled: boolean, numeric: Numeric): string {
  const width: Width = 1;
  const made = scaled ? `times(${numeric.load('z[e]', width)}, params.beta)` : numeric.zero(width);
  return `${numeric.enables}struct Params { count: u32, width: u32, beta: vec2<u32>, zero: u32 }
@group(0) @binding(0) var<uniform> params: Params;
${numeric.prelude}
@group(0) @binding(1) var<storage, read_write> z: array<${numeric.memory(width)}>;
${scaled ? scaleFunction(numeric, width) : ''}
@compute @workgroup_size(${PREPARATION_WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let e = id.y * params.width + id.x;
  if (e < params.count) { z[e] = ${numeric.store(made, width)}; }
}`;
}
