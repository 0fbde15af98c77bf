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
