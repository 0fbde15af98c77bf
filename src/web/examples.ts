/** An example kernel. */
export interface Example {
  readonly title: string;
  readonly source: string;
}

const kernel = (says: string, store: string) => `// ${says}
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
${store}
  c[row * sizes.n + col] = sum;
}
`;

const LOOP = `  for (var p = 0u; p < sizes.k; p++) {
    sum += a[row * sizes.k + p] * b[p * sizes.n + col];
  }`;

/** Example kernels; the page begins with the first. */
export const examples: readonly Example[] = [
  {
    title: 'A right one',
    source: kernel('C = A·B, an invocation an entry. Put your own kernel here.', LOOP),
  },
  {
    title: 'A wrong one: it skips the rest of k that 4 does not divide',
    source: kernel(
      'Four terms at a time: what is left of k where 4 does not divide it is forgotten.',
      `  for (var p = 0u; p + 4u <= sizes.k; p += 4u) {
    for (var q = p; q < p + 4u; q++) {
      sum += a[row * sizes.k + q] * b[q * sizes.n + col];
    }
  }`,
    ),
  },
  {
    title: 'A careless one: products in 10 bits',
    source: kernel(
      'Operands are rounded to the 11 bits of f16 before they are multiplied, which nobody promised.',
      `  for (var p = 0u; p < sizes.k; p++) {
    sum += quantizeToF16(a[row * sizes.k + p]) * quantizeToF16(b[p * sizes.n + col]);
  }`,
    ),
  },
];
