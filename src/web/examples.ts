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
    title: 'Correct',
    source: kernel('C = A·B, one invocation per entry. Put your own kernel here.', LOOP),
  },
  {
    title: 'Wrong: drops the last k mod 4 terms',
    source: kernel(
      'Four terms at a time. The last k mod 4 terms are lost.',
      `  for (var p = 0u; p + 4u <= sizes.k; p += 4u) {
    for (var q = p; q < p + 4u; q++) {
      sum += a[row * sizes.k + q] * b[q * sizes.n + col];
    }
  }`,
    ),
  },
  {
    title: 'Inaccurate: rounds operands to f16',
    source: kernel(
      'Operands are rounded to f16 (11 bits), although the kernel claims f32.',
      `  for (var p = 0u; p < sizes.k; p++) {
    sum += quantizeToF16(a[row * sizes.k + p]) * quantizeToF16(b[p * sizes.n + col]);
  }`,
    ),
  },
];
