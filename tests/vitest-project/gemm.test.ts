import { defineKernel, findInput, matrix, transpose } from 'gemm-paranoia';
import { law, operands, shapes } from 'gemm-paranoia/vitest';
import { describe, expect, it } from 'vitest';
import { multiply } from './multiply.ts';

const mine = defineKernel({ name: 'mine', multiply });

const onGpu = defineKernel({
  name: 'mine-on-the-gpu',
  wgsl: {
    source: ({ m, k, n }) => `
      @group(0) @binding(0) var<storage, read_write> a: array<f32>;
      @group(0) @binding(1) var<storage, read_write> b: array<f32>;
      @group(0) @binding(2) var<storage, read_write> c: array<f32>;
      @compute @workgroup_size(8, 8)
      fn main(@builtin(global_invocation_id) at: vec3u) {
        if (at.y >= ${m}u || at.x >= ${n}u) { return; }
        var sum = 0.0;
        for (var p = 0u; p < ${k}u; p++) { sum += a[at.y * ${k}u + p] * b[p * ${n}u + at.x]; }
        c[at.y * ${n}u + at.x] = sum;
      }`,
    workgroups: ({ m, n }) => [Math.ceil(n / 8), Math.ceil(m / 8)],
  },
});

describe('my product', () => {
  it('is a product', () => {
    const shape = { m: 33, k: 17, n: 5 };
    const { a, b } = findInput('uniform').generate({ ...shape, seed: 7, levels: 0 });
    const c = matrix(shape.m, shape.n, multiply(a.data, b.data, shape));
    expect(c).toBeProductOf(a, b, { claims: { order: 'sequential' }, sigmas: 6 });
    expect([
      [19, 22],
      [43, 50],
    ]).toBeProductOf(
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    );
    expect([
      [19, 22],
      [43, 51],
    ]).not.toBeProductOf(
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    );
  });

  it('is a product within a larger value', () => {
    expect({ c: [[6]] }).toEqual({ c: expect.toBeProductOf([[2]], [[3]]) });
    expect({ c: [[7]] }).not.toEqual({ c: expect.toBeProductOf([[2]], [[3]]) });
  });

  it('passes the gate', async () => {
    await expect(mine).toPassGate({ sizes: [[3, 4, 5], [17, 15, 16], 33] });
    await expect(mine).toPassGate({ case: 'kernel=mine;input=special-values;m=7;k=5;n=3;seed=2' });
  });

  it('passes the gate on a large product, whose exact one takes threads', async () => {
    await expect(mine).toPassGate({ case: 'kernel=mine;m=256;k=256;n=256' });
  });

  it('is of grade A', async () => {
    await expect(mine).toBeGrade('A');
  });

  it('passes the gate as a shader', async () => {
    await expect(onGpu).toPassGate({
      sizes: [[3, 4, 5], 33],
      inputs: ['integers', 'uniform'],
      adapter: 'software',
    });
    await expect(onGpu).toBeGrade('A', { sizes: [16], adapter: 'software' });
  });
});

describe('laws', () => {
  law(
    'the transposed product is the product of the transposed',
    [operands({ max: 24 })],
    ({ a, b, shape }) => {
      const { m, k, n } = shape;
      const c = matrix(m, n, multiply(a.data, b.data, shape));
      const swapped = multiply(transpose(b).data, transpose(a).data, { m: n, k, n: m });
      expect([...transpose(matrix(n, m, swapped)).data]).toEqual([...c.data]);
    },
  );

  law('a product of zeros is zero', [shapes({ max: 16 })], { runs: 20 }, ({ m, k, n }) => {
    return multiply(new Float32Array(m * k), new Float32Array(k * n), { m, k, n }).every((x) => x === 0);
  });
});
