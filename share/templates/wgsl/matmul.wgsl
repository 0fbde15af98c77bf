// C = A·B, row by row: A is m×k, B k×n, C m×n. Put your own kernel here.
//
// The shader reads A and B, and writes C. The uniform `sizes` begins with m, k and n. A workgroup computes as many columns
// and rows of C as its size. If it computes more, add a comment line, rows first: "// tile: 64x32".

struct Sizes {
  m: u32,
  k: u32,
  n: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

@compute @workgroup_size(8, 8)
fn matmul(@builtin(global_invocation_id) id: vec3u) {
  let col = id.x;
  let row = id.y;
  if (row >= sizes.m || col >= sizes.n) {
    return;
  }
  var sum = 0.0;
  for (var p = 0u; p < sizes.k; p++) {
    sum += a[row * sizes.k + p] * b[p * sizes.n + col];
  }
  c[row * sizes.n + col] = sum;
}
