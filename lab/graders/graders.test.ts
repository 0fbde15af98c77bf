import { describe, expect, it } from 'vitest';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { bf16, type Format, f16, f32, f64 } from '../../src/precision/format.ts';
import { precisions } from '../../src/precision/precisions.ts';
import type { ExpectedComparison } from './expected-comparison.ts';
import { type GraderOptions, gradeByProducts } from './grade.ts';
import { graders } from './graders.ts';

describe.each(graders.items)('$name', ({ cites, asked, blind, what, source, ...grader }) => {
  it('says where each thing that is told of it stands', () => {
    expect(cites.length).toBeGreaterThan(0);
    for (const { repository, file, line, commit, says } of cites) {
      expect(repository).toMatch(/^@?[\w.-]+\/[\w.-]+$/);
      expect(file).toMatch(/^[\w./-]+$/);
      expect(line).toSatisfy((at: number) => Number.isInteger(at) && at > 0);
      expect(commit).toMatch(/^([0-9a-f]{40}|(rocm-|v)?\d+\.\d+\.\d+)$/);
      expect(says).toMatch(/\w/);
    }
    expect([what, source, asked, ...blind].every((text) => /\w/.test(text ?? ''))).toBe(true);
  });

  it('passes an honest kernel of binary64 sums, and fails one that writes nothing or adds 1 to all', async () => {
    const options: GraderOptions = { seed: 1, most: 4096 };
    const all = grader.asks({ precision: 'f32' });
    const own = all.filter((_, at) => at % Math.ceil(all.length / 40) === 0);
    const said = async (kernel: FunctionKernel) =>
      (
        await gradeByProducts(
          { cites, asked, blind, what, source: source ?? '', ...grader },
          own,
          kernel,
          options,
        )
      ).caught;
    // The page says which graders demand more than their own reference achieves: this kernel sums as the reference does.
    expect(await said({ name: 'honest', accepts: 'everything', multiply: multiplied })).toBe(false);
    expect(
      await said({ name: 'lazy', accepts: 'everything', multiply: (_a, _b, _gemm, _c, d) => d.fill(0) }),
    ).toBe(true);
    expect(await said({ name: 'none', accepts: 'everything', multiply: () => new Float32Array(1) })).toBe(
      true,
    );
  });
});

/** The whole GEMM with sequential sums, rounded to binary32 after each term. */
const multiplied: FunctionKernel['multiply'] = (a, b, gemm, c, d) => {
  const { m, k, n, batch, alpha, beta } = gemm;
  const place = ({ op, order, ld, offset, stride }: typeof gemm.a, p: number, i: number, j: number) =>
    offset + p * stride + ((op === 't') === (order === 'row') ? i + j * ld : i * ld + j);
  for (let p = 0; p < batch; p++) {
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let t = 0; t < k && alpha !== 0; t++) {
          sum = Math.fround(sum + a[place(gemm.a, p, i, t)] * b[place(gemm.b, p, t, j)]);
        }
        const scaled = alpha === 1 ? sum : alpha * sum;
        d[place(gemm.d, p, i, j)] = beta === 0 ? scaled : scaled + beta * c[place(gemm.c, p, i, j)];
      }
    }
  }
  return d;
};

/** A product of equal entries, some of which have an error. */
function product(
  expected: number,
  error: number,
  format: Format,
  { of = 1, k = 8 } = {},
): ExpectedComparison {
  const all = Array.from({ length: of }, () => expected);
  return {
    found: Float64Array.from(all, (value, at) => (at === 0 ? value + error : value)),
    expected: Float64Array.from(all),
    sizes: () => Float64Array.from(all, () => 2),
    k,
    precision: precisions.find(format === f64 ? 'f64' : 'f32'),
    format,
  };
}

/** For each grader: an entry, the largest error that passes (less a thousandth), and the format. */
const edges: Readonly<
  Record<string, readonly (readonly [expected: number, most: number, format: Format])[]>
> = {
  'torch-assert-close': [
    [100, 1e-5 + 1.3e-4, f32],
    [100, 1e-5 + 0.1, f16],
    [100, 1e-5 + 1.6, bf16],
    [100, 1e-7 + 1e-5, f64],
    [0, 1e-5, f32],
  ],
  'numpy-allclose': [
    [100, 1e-8 + 1e-3, f32],
    [0, 1e-8, f16],
  ],
  'backend-bench': [
    [100, 1.01, f32],
    [0, 0.01, bf16],
  ],
  'kernel-bench': [
    [100, 0.0101, f32],
    [100, 1.01, f16],
    [100, 1.01, bf16],
  ],
  'gpu-mode': [
    [100, 1e-8 + 1e-3, f16],
    [0, 1e-8, f32],
  ],
  'triton-tutorial': [
    [100, 0.01, f16],
    [0, 0.01, f32],
  ],
  tfjs: [
    [100, 1e-3, f32],
    [100, 0.1, f16],
  ],
  // |a − b| < 0.05·(|a| + |b|) with b = a + error.
  'cutlass-profiler': [
    [100, 10 / 0.95, f32],
    [0, 0.05 / 256, f32],
  ],
  // 16·2^-23·2, and the same for binary64.
  lapack: [
    [1, 32 * 2 ** -23, f32],
    [0, 32 * 2 ** -52, f64],
  ],
};

describe.each(Object.entries(edges))('the threshold of %s', (name, values) => {
  it.each(values)('of %d is %d', (expected, most, format) => {
    const { passes } = graders.find(name);
    expect(passes(product(expected, most * 0.999, format))).toBe(true);
    expect(passes(product(expected, most * 1.001, format))).toBe(false);
    expect(passes(product(expected, Number.NaN, format))).toBe(false);
  });
});

it.each(['cutlass-testbed', 'rocblas', 'onednn'])('%s wants equal entries', (name) => {
  const { passes } = graders.find(name);
  expect(passes(product(100, 0, f32))).toBe(true);
  expect(passes(product(100, 2 ** -17, f32))).toBe(false);
  expect(passes({ ...product(0, 0, f32), found: Float64Array.of(Number.NaN) })).toBe(false);
});

it('llama-cpp wants a normalised mean squared error of 5e-4: one entry in a thousand may be 0.7 times too large', () => {
  const { passes } = graders.find('llama-cpp');
  const off = (error: number) => product(1, error, f32, { of: 1000 });
  expect(passes(off(Math.sqrt(0.5) * 0.999))).toBe(true);
  expect(passes(off(Math.sqrt(0.5) * 1.001))).toBe(false);
  expect(passes(off(Number.NaN))).toBe(false);
});

it('tt-metal wants a correlation of 0.99, whatever the scale and what is added', () => {
  const { passes } = graders.find('tt-metal');
  const expected = Float64Array.from({ length: 1000 }, (_, at) => Math.sin(at));
  const said = (found: (value: number, at: number) => number) =>
    passes({ ...product(1, 0, f32), expected, found: expected.map(found) });
  expect(said((value) => 3 * value + 7)).toBe(true);
  expect(said((value) => -value)).toBe(false);
  expect(said(() => 0)).toBe(false);
  // Noise of variance v on a signal of variance ½: the correlation is 1/√(1 + 2v).
  const noise = (correlation: number) => Math.sqrt((1 / correlation ** 2 - 1) / 2);
  const noisy = (size: number) => said((value, at) => value + size * (Math.floor(at / 2) % 2 === 0 ? 1 : -1));
  expect(noisy(noise(0.992))).toBe(true);
  expect(noisy(noise(0.988))).toBe(false);
});

it('ask as many products as their sources do', () => {
  const asked = (name: string, precision = 'f32') => graders.find(name).asks({ precision });
  expect(asked('lapack')).toHaveLength(17_496);
  expect(asked('rocblas')).toHaveLength(675 * 16);
  expect(asked('cutlass-testbed').map(({ wanted: { m, k, n } }) => `${m}x${k}x${n}`)).toContain('509x23x510');
  expect(asked('cutlass-testbed', 'f16-f32').map(({ wanted: { m, k, n } }) => `${m}x${k}x${n}`)).toContain(
    '488x120x496',
  );
  expect(asked('kernel-bench')).toHaveLength(5);
});
