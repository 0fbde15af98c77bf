import { addToSums } from './add-to-sums.ts';
import { type Dot, dotFunctions, dotRows } from './dot.ts';
import { acrossPlaces, type Multiplier, multiplyParams, pairsOfBlock } from './multiplier.ts';

const SIDE = 8;

/** Packed digits by `dot4I8Packed`, without workgroup memory: on a processor, staging copies what its cache holds anyway. */
export function dotPlain(dot: Dot): Multiplier {
  const each = (text: (i: number) => string) => Array.from({ length: 4 }, (_, i) => text(i)).join('\n');
  return {
    name: 'dot-plain',
    what: dot === 'native' ? 'dot4I8Packed' : 'dot products by shifts',
    block: 4 * SIDE,
    step: 1,
    layout: acrossPlaces,
    shader: (words) => `${multiplyParams}
@group(0) @binding(1) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> sums: array<vec4<u32>>;
${dotFunctions[dot]}
${addToSums(words)}
@compute @workgroup_size(${SIDE}, ${SIDE})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>) {
${pairsOfBlock}
  let acrossA = params.placesA / 4u;
  let acrossB = params.placesB / 4u;
  let top = (params.firstBlock + group.y) * ${SIDE}u + id.y;
  let left = group.x * ${SIDE}u + id.x;
  if (4u * top >= params.usedA || 4u * left >= params.usedB) { return; }
${each((r) => `  var c${r}_0 = vec4<i32>();`)}
  for (var slice = firstSlice; slice <= lastSlice; slice++) {
    let other = params.diagonal - slice;
    for (var word = params.begin; word < params.end; word++) {
      let x = a[(slice * params.words + word) * acrossA + top];
      let y = b[(other * params.words + word) * acrossB + left];
      ${dotRows('x', 'y', 0, 0)}
    }
  }
${each((r) => `  addToSums((4u * top + ${r}u) * acrossB + left, c${r}_0, params.diagonal, params.planeStride);`)}
}`,
  };
}
