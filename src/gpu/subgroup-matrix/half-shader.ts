import { roundHalf } from '../numerics/rounding.ts';

/** Invocations of a workgroup of {@link halfShader}: entries of a row. */
export const HALF_WORKGROUP = 64;

/**
 * The WGSL that rounds a matrix of binary32 numbers to binary16, ties to even, into rows of `stride` entries; entries behind
 * those of the matrix become 0.
 */
export const halfShader = `enable f16;
struct Params { rows: u32, cols: u32, stride: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> halves: array<f16>;
${roundHalf.declaration}
@compute @workgroup_size(${HALF_WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.stride) { return; }
  var value = 0.0;
  if (id.y < params.rows && id.x < params.cols) { value = roundHalf(x[id.y * params.cols + id.x]); }
  halves[id.y * params.stride + id.x] = f16(value);
}`;
