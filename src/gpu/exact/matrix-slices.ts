import { matrixEnables, type SubgroupMatrixShape } from '../subgroup-matrix-configs.ts';
import { repeatLines } from '../wgsl/each.ts';
import { addToSums, type Multiplier, multiplyParams, pairsOfBlock } from './multiplier.ts';

/** The side of the block that a subgroup multiplies. A workgroup has two by two subgroups. */
const REGION = 64;
/** Words of four digits staged at a time, and the stride of lines there in words: 16-byte alignment, few bank conflicts. */
const STAGED = 16;
const STRIDE = 20;

/**
 * Multiplies slices by the device's matrix units: subgroup matrices of i8 with sums in i32. These sums wrap instead of saturating, so they
 * are exact if no sum leaves i32. Lines are staged in workgroup memory, 64 digits of 128 lines of either operand at a time. Matrices are
 * loaded from there with offsets and strides in words of four digits.
 */
export function matrixSlices({ M, N, K, subgroup }: SubgroupMatrixShape): Multiplier {
  const [down, across] = [REGION / M, REGION / N];
  const sums = (text: (r: number, c: number) => string) =>
    repeatLines(down, (r) => repeatLines(across, (c) => text(r, c)));
  const invocations = 4 * subgroup;
  const block = 2 * REGION;
  const vectors = (block * STAGED) / 4;
  const left = `subgroup_matrix_left<i8, ${K}, ${M}>`;
  const right = `subgroup_matrix_right<i8, ${N}, ${K}>`;
  const result = `subgroup_matrix_result<i32, ${N}, ${M}>`;
  const fetches = (text: (i: number) => string) => repeatLines(vectors / invocations, text);
  return {
    name: 'matrix',
    what: `i8 subgroup matrices ${M}×${N}×${K}`,
    block,
    step: STAGED,
    layout: (places, words) => ({ sliceStride: places * words, placeStride: words, wordStride: 1 }),
    shader: (words) => `${matrixEnables}${multiplyParams}
@group(0) @binding(1) var<storage, read> a: array<vec4<i32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<i32>>;
@group(0) @binding(3) var<storage, read> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> sums: array<vec4<u32>>;
var<workgroup> tileA: array<i32, ${block * STRIDE}>;
var<workgroup> tileB: array<i32, ${block * STRIDE}>;
var<workgroup> scratch: array<i32, ${4 * M * N}>;
${addToSums(words)}
@compute @workgroup_size(${invocations})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) index: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_invocation_id) lane: u32) {
${pairsOfBlock}
  let across = params.words / 4u;
  let lineA = (params.firstBlock + group.y) * ${block}u;
  let lineB = group.x * ${block}u;
  let top = (subgroup / 2u) * ${REGION}u;
  let side = (subgroup % 2u) * ${REGION}u;
${sums((r, c) => `  var c${r}_${c} = ${result}();`)}
  let steps = (params.end - params.begin) / ${STAGED}u;
  let total = (lastSlice - firstSlice + 1u) * steps;
  var slice = firstSlice;
  var at = params.begin;
${fetches((i) => `  let e${i} = index + ${i * invocations}u;\n  let line${i} = e${i} / ${STAGED / 4}u;\n  let vector${i} = e${i} % ${STAGED / 4}u;`)}
${fetches(
  (i) => `  var nextA${i} = a[(slice * params.placesA + lineA + line${i}) * across + at / 4u + vector${i}];
  var nextB${i} = b[((params.diagonal - slice) * params.placesB + lineB + line${i}) * across + at / 4u + vector${i}];`,
)}
  for (var step = 0u; step < total; step++) {
${fetches((i) =>
  ['x', 'y', 'z', 'w']
    .map(
      (c, q) =>
        `    tileA[line${i} * ${STRIDE}u + 4u * vector${i} + ${q}u] = nextA${i}.${c};\n    tileB[line${i} * ${STRIDE}u + 4u * vector${i} + ${q}u] = nextB${i}.${c};`,
    )
    .join('\n'),
)}
    workgroupBarrier();
    if (step + 1u < total) {
      at += ${STAGED}u;
      if (at >= params.end) { at = params.begin; slice++; }
${fetches(
  (i) => `      nextA${i} = a[(slice * params.placesA + lineA + line${i}) * across + at / 4u + vector${i}];
      nextB${i} = b[((params.diagonal - slice) * params.placesB + lineB + line${i}) * across + at / 4u + vector${i}];`,
)}
    }
    for (var q = 0u; q < ${STAGED}u; q += ${K / 4}u) {
${repeatLines(across, (c) => `      let y${c} = subgroupMatrixLoad<${right}, col_major>(&tileB, (side + ${c * N}u) * ${STRIDE}u + q, ${STRIDE}u);`)}
${repeatLines(
  down,
  (
    r,
  ) => `      let x${r} = subgroupMatrixLoad<${left}, row_major>(&tileA, (top + ${r * M}u) * ${STRIDE}u + q, ${STRIDE}u);
${repeatLines(across, (c) => `      c${r}_${c} = subgroupMatrixMultiplyAccumulate(x${r}, y${c}, c${r}_${c});`)}`,
)}
    }
    workgroupBarrier();
  }
${sums(
  (r, c) => `  subgroupMatrixStore<row_major>(&scratch, subgroup * ${M * N}u, c${r}_${c}, ${N}u);
  workgroupBarrier();
  for (var e = lane; e < ${(M * N) / 4}u; e += ${subgroup}u) {
    let s = subgroup * ${M * N}u + 4u * e;
    let row = lineA + top + ${r * M}u + e / ${N / 4}u;
    let col = (lineB + side + ${c * N}u) / 4u + e % ${N / 4}u;
    addToSums(row * (params.placesB / 4u) + col, vec4<i32>(scratch[s], scratch[s + 1u], scratch[s + 2u], scratch[s + 3u]), params.diagonal, params.planeStride);
  }
  workgroupBarrier();`,
)}
}`,
  };
}
