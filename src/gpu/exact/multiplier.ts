import { repeatLines } from '../wgsl/each.ts';

/** The layout of a panel's digits: place p, word w and slice s is at s·sliceStride + p·placeStride + w·wordStride. */
export interface DigitLayout {
  readonly sliceStride: number;
  readonly placeStride: number;
  readonly wordStride: number;
}

/**
 * A way to multiply slices by slices. Its shader has the bindings 0: {@link multiplyParams}; 1 and 2: the digits of A and B; 3: the slices
 * of each block of places of A, then of B; 4: the sums. The shader adds to the sums of one diagonal. Workgroup (x, y) computes block (x,
 * `firstBlock` + y) of the sums, `block` places square.
 */
export interface Multiplier {
  readonly name: string;
  /** A description for reports. */
  readonly what: string;
  /** The places of A, and of B, that a workgroup multiplies. */
  readonly block: number;
  /** The packed words of four digits along k that are multiplied at a time. Panels are padded to a multiple. */
  readonly step: number;
  layout(places: number, words: number): DigitLayout;
  /** Returns the shader's WGSL. @param words the words of a sum. */
  shader(words: number): string;
}

/** The uniform of a multiplier's shader. */
export const multiplyParams = `struct Params { words: u32, placesA: u32, placesB: u32, diagonal: u32, begin: u32, end: u32, firstBlock: u32, planeStride: u32, blocksA: u32, usedA: u32, usedB: u32 }
@group(0) @binding(0) var<uniform> params: Params;`;

/** WGSL that finds, for a workgroup's block, the first and the last slice of A that pair with a slice of B on the diagonal. */
export const pairsOfBlock = `  let slicesA = counts[params.firstBlock + group.y];
  let slicesB = counts[params.blocksA + group.x];
  if (params.diagonal + 2u > slicesA + slicesB) { return; }
  let firstSlice = params.diagonal - min(params.diagonal, slicesB - 1u);
  let lastSlice = min(params.diagonal, slicesA - 1u);`;

/** Returns the layout with neighboring places side by side, so that neighboring invocations read adjacent words. */
const layOutAcrossPlaces = (places: number, words: number): DigitLayout => ({
  sliceStride: places * words,
  placeStride: 1,
  wordStride: places,
});

/** WGSL that adds four products of packed signed digits: by the device's instruction, or by unpacking the bytes. */
export const dotFunctions = {
  native: 'fn dot4(x: u32, y: u32) -> i32 { return dot4I8Packed(x, y); }',
  shifts: `fn dot4(x: u32, y: u32) -> i32 {
  let at = vec4<u32>(24u, 16u, 8u, 0u);
  return dot((vec4<i32>(i32(x)) << at) >> vec4<u32>(24u), (vec4<i32>(i32(y)) << at) >> vec4<u32>(24u));
}`,
} as const;

/** A device's way to multiply packed digits. */
export type DigitMultiply = keyof typeof dotFunctions;

/** Returns WGSL that adds the products of four places of A, in `x`, and four of B, in `y`, to the rows r of sums `c<r>_<v>`. */
function dotRows(x: string, y: string, firstRow: number, column: number): string {
  return ['x', 'y', 'z', 'w']
    .map((c, r) => {
      const dots = ['x', 'y', 'z', 'w'].map((d) => `dot4(${x}.${c}, ${y}.${d})`).join(', ');
      return `c${firstRow + r}_${column} += vec4<i32>(${dots});`;
    })
    .join('\n      ');
}

/** Returns the beginning of both shaders. */
const head = (dot: DigitMultiply, words: number) => `${multiplyParams}
@group(0) @binding(1) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> sums: array<vec4<u32>>;
${dotFunctions[dot]}
${addToSums(words)}`;

/** Invocations along each side of a workgroup. */
const PLAIN_SIDE = 8;

/**
 * Multiplies packed digits by `dot4I8Packed` without workgroup memory. On a processor, staging would only copy data that is already in
 * cache.
 */
export function dotPlain(dot: DigitMultiply): Multiplier {
  return {
    name: 'dot-plain',
    what: dot === 'native' ? 'dot4I8Packed' : 'dot products by shifts',
    block: 4 * PLAIN_SIDE,
    step: 1,
    layout: layOutAcrossPlaces,
    shader: (words) => `${head(dot, words)}
@compute @workgroup_size(${PLAIN_SIDE}, ${PLAIN_SIDE})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>) {
${pairsOfBlock}
  let acrossA = params.placesA / 4u;
  let acrossB = params.placesB / 4u;
  let top = (params.firstBlock + group.y) * ${PLAIN_SIDE}u + id.y;
  let left = group.x * ${PLAIN_SIDE}u + id.x;
  if (4u * top >= params.usedA || 4u * left >= params.usedB) { return; }
${repeatLines(4, (r) => `  var c${r}_0 = vec4<i32>();`)}
  for (var slice = firstSlice; slice <= lastSlice; slice++) {
    let other = params.diagonal - slice;
    for (var word = params.begin; word < params.end; word++) {
      let x = a[(slice * params.words + word) * acrossA + top];
      let y = b[(other * params.words + word) * acrossB + left];
      ${dotRows('x', 'y', 0, 0)}
    }
  }
${repeatLines(4, (r) => `  addToSums((4u * top + ${r}u) * acrossB + left, c${r}_0, params.diagonal, params.planeStride);`)}
}`,
  };
}

const SIDE = 16;
/** The vec4s of places in a block. */
const VECTORS = 32;

/**
 * Multiplies packed digits by `dot4I8Packed` on GPUs: 8×8 entries an invocation, 128×128 a workgroup. Digits are staged in workgroup memory
 * eight words at a time while the next ones are being loaded. The 4×4 groups of an invocation's entries lie 64 apart, so that neighboring
 * invocations read neighboring vec4s.
 */
export function dotStaged(dot: DigitMultiply): Multiplier {
  const rows = (text: (r: number, v: number) => string) =>
    repeatLines(8, (r) => repeatLines(2, (v) => text(r, v)));
  return {
    name: 'dot-staged',
    what: dot === 'native' ? 'dot4I8Packed, staged' : 'dot products by shifts, staged',
    block: 4 * VECTORS,
    step: 8,
    layout: layOutAcrossPlaces,
    shader: (words) => `${head(dot, words)}
var<workgroup> tileA: array<vec4<u32>, ${8 * VECTORS}>;
var<workgroup> tileB: array<vec4<u32>, ${8 * VECTORS}>;
@compute @workgroup_size(${SIDE}, ${SIDE})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) index: u32) {
${pairsOfBlock}
  let acrossA = params.placesA / 4u;
  let acrossB = params.placesB / 4u;
  let blockA = (params.firstBlock + group.y) * ${VECTORS}u;
  let blockB = group.x * ${VECTORS}u;
  let word = index / ${VECTORS}u;
  let vector = index % ${VECTORS}u;
${rows((r, v) => `  var c${r}_${v} = vec4<i32>();`)}
  let steps = (params.end - params.begin) / 8u;
  let total = (lastSlice - firstSlice + 1u) * steps;
  var slice = firstSlice;
  var at = params.begin + word;
  var nextA = a[(slice * params.words + at) * acrossA + blockA + vector];
  var nextB = b[((params.diagonal - slice) * params.words + at) * acrossB + blockB + vector];
  for (var step = 0u; step < total; step++) {
    tileA[index] = nextA;
    tileB[index] = nextB;
    workgroupBarrier();
    if (step + 1u < total) {
      at += 8u;
      if (at >= params.end) { at = params.begin + word; slice++; }
      nextA = a[(slice * params.words + at) * acrossA + blockA + vector];
      nextB = b[((params.diagonal - slice) * params.words + at) * acrossB + blockB + vector];
    }
    for (var w = 0u; w < 8u; w++) {
      let x0 = tileA[w * ${VECTORS}u + id.y];
      let x1 = tileA[w * ${VECTORS}u + ${SIDE}u + id.y];
      let y0 = tileB[w * ${VECTORS}u + id.x];
      let y1 = tileB[w * ${VECTORS}u + ${SIDE}u + id.x];
      ${dotRows('x0', 'y0', 0, 0)}
      ${dotRows('x0', 'y1', 0, 1)}
      ${dotRows('x1', 'y0', 4, 0)}
      ${dotRows('x1', 'y1', 4, 1)}
    }
    workgroupBarrier();
  }
  let top = 4u * (blockA + id.y);
  let left = blockB + id.x;
  var all = array<vec4<i32>, 16>(${Array.from({ length: 16 }, (_, e) => `c${e >> 1}_${e & 1}`).join(', ')});
  // A loop, so that the additions, which are long, are there once.
  for (var e = 0u; e < 16u; e++) {
    let row = top + (e / 2u) % 4u + ${4 * SIDE}u * (e / 8u);
    addToSums(row * acrossB + left + ${SIDE}u * (e % 2u), all[e], params.diagonal, params.planeStride);
  }
}`,
  };
}

/**
 * Returns WGSL that adds 32-bit sums of one diagonal to the two's complement integers of four neighboring entries. `sums` holds a plane of
 * vec4s for each word of these integers, the lowest first. Planes are `planeStride` vec4s apart.
 */
export function addToSums(words: number): string {
  return `fn addToSums(at: u32, sum: vec4<i32>, diagonal: u32, planeStride: u32) {
  let first = diagonal / 4u;
  let shift = (diagonal % 4u) * 8u;
  let sign = vec4<u32>(sum >> vec4<u32>(31u));
  var carry = vec4<u32>();
  for (var word = first; word < ${words}u; word++) {
    var term = sign;
    if (word == first) { term = vec4<u32>(sum) << vec4<u32>(shift); }
    else if (word == first + 1u && shift > 0u) { term = vec4<u32>(sum >> vec4<u32>(32u - shift)); }
    let before = sums[word * planeStride + at];
    let added = before + term;
    let after = added + carry;
    carry = select(vec4<u32>(), vec4<u32>(1u), added < before) | select(vec4<u32>(), vec4<u32>(1u), after < added);
    sums[word * planeStride + at] = after;
  }
}`;
}
