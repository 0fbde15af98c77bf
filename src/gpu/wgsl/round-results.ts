import type { RoundingFunction } from '../../precision/wgsl/rounding.ts';
import { type BoundRange, type Dispatch, linearGrid } from './dispatch.ts';

const WORKGROUP = 64;

/**
 * Returns the dispatch that rounds all entries of a block in place, each once: from complete sums to the format of results. NaN stays
 * unchanged, and so do words that were never written.
 */
export function roundResults(block: BoundRange, rounding: RoundingFunction): Dispatch {
  const entries = block.layout.size;
  const { workgroups, width } = linearGrid(entries, WORKGROUP);
  return {
    label: 'rounding of results',
    shader: shaderOf(rounding),
    params: [entries, width],
    layouts: false,
    blocks: [block],
    workgroups,
    operations: entries,
  };
}

const shaderOf = ({
  declaration,
  name,
}: RoundingFunction): string => `struct Params { entries: u32, width: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;
${declaration}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let e = id.y * params.width + id.x;
  if (e >= params.entries) { return; }
  let x = results[e];
  if ((bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u) { results[e] = ${name}(x); }
}`;
