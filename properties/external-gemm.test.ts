import { describe, expect, test } from 'vitest';
import { inShort } from '../src/base/in-short.testing.ts';
import type { GpuCall, GpuKernel, WgslKernel } from '../src/kernels/user-kernel.ts';
import { type Gemm, type MatrixLayout, stepsOf } from '../src/matrix/gemm.ts';
import { openGpu } from './device.ts';
import { changed, failures, judging } from './external.ts';

/**
 * The law: a user's kernel on the device that accepts whole products gets them in the requested layout, and passes. A kernel that assumes
 * another layout fails.
 */
const { open } = await openGpu();

const addressOf = (name: string, laid: MatrixLayout): string => {
  const { row, col } = stepsOf(laid);
  return `fn ${name}(p: u32, i: u32, j: u32) -> u32 { return ${laid.offset}u + p * ${laid.stride}u + i * ${row}u + j * ${col}u; }`;
};

/** Writes a shader with one invocation for each entry, of every product of a batch in turn. */
function sourceOf({ m, k, n, batch, alpha, beta, ...laid }: Gemm, entry = 'f32'): string {
  const isApart = laid.c !== laid.d;
  const result = isApart ? 'd' : 'c';
  const names = isApart ? (['a', 'b', 'c', 'd'] as const) : (['a', 'b', 'c'] as const);
  const before = beta === 0 ? '' : ` + ${beta}f * f32(c[atC(p, i, j)])`;
  return `${entry === 'f16' ? 'enable f16;' : ''}
${names.map((name, at) => `@group(0) @binding(${at}) var<storage, read_write> ${name}: array<${entry}>;`).join('\n')}
${names.map((name) => addressOf(`at${name.toUpperCase()}`, laid[name])).join('\n')}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ${batch * m * n}u) { return; }
  let p = id.x / ${Math.max(1, m * n)}u;
  let i = id.x / ${Math.max(1, n)}u % ${Math.max(1, m)}u;
  let j = id.x % ${Math.max(1, n)}u;
  var sum = 0f;
  for (var q = 0u; q < ${alpha === 0 ? 0 : k}u; q++) { sum += f32(a[atA(p, i, q)]) * f32(b[atB(p, q, j)]); }
  let old = 0f${before};
  _ = &c;
  ${result}[at${result.toUpperCase()}(p, i, j)] = ${entry}(${alpha}f * sum + old);
}`;
}

const whole: WgslKernel = {
  name: 'my-gemm',
  accepts: 'everything',
  wgsl: {
    source: sourceOf,
    bindings: { a: 0, b: 1, c: 2, d: 3 },
    workgroups: ({ m, n, batch }) => [Math.ceil((batch * m * n) / 64)],
  },
};

const half: WgslKernel = {
  ...{ ...whole, name: 'my-half', precision: 'f16' },
  wgsl: { ...whole.wgsl, source: (gemm) => sourceOf(gemm, 'f16') },
};

/** The same source, encoded by hand. D alone is bound where it overwrites C. */
const encoded: GpuKernel = {
  name: 'my-encoder',
  accepts: 'everything',
  encode({ device, gemm, a, b, c, d }: GpuCall) {
    const module = device.createShaderModule({ code: sourceOf(gemm) });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
    const ranges = gemm.c === gemm.d ? [a, b, d] : [a, b, c, d];
    const entries = ranges.map((resource, binding) => ({ binding, resource }));
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(Math.ceil((gemm.batch * gemm.m * gemm.n) / 64));
    pass.end();
    device.queue.submit([encoder.finish()]);
  },
};

const texts = [
  'm=13;k=9;n=11',
  'm=13;k=9;n=11;a=t+3@2;b=nf+1;c=n+2@5',
  'm=13;k=9;n=11;alpha=-2;beta=3;c=nf+1',
  'm=13;k=9;n=11;beta=1;c=n+1;d=n+4@1',
  'm=13;k=9;n=11;d=nf',
  'm=5;k=3;n=7;batch=4;a=t*same;b=n*9;c=n+1*3',
  'm=5;k=3;n=7;batch=4;beta=2;c=n*same;d=nf+1*2',
  'm=5;k=3;n=7;alpha=0;beta=2;d=n+1',
  'm=5;k=0;n=7;beta=-1;batch=2',
  'm=5;k=3;n=7;batch=0',
  'm=0;k=3;n=7;batch=2;d=n+1',
];

const kernels = open.device.features.has('shader-f16') ? [whole, half, encoded] : [whole, encoded];

describe.each(kernels)('$name passes', (kernel) => {
  const judge = judging(kernel, open);
  test.each(inShort(texts, 3))('%s', async (text) => {
    expect(await judge(`input=integers;${text}`)).toMatchObject({ verdict: 'pass' });
  });
});

describe('in a kernel that thinks wrongly of storage', () => {
  const planted = (from: string, to: string): WgslKernel => ({
    ...whole,
    wgsl: { ...whole.wgsl, source: (gemm) => replaced(sourceOf(gemm), from, to) },
  });
  const replaced = (source: string, from: string, to: string) => {
    const { wgsl } = changed({ ...whole, wgsl: { ...whole.wgsl, source } }, from, to);
    return wgsl.source as string;
  };
  const store = 'd[atD(p, i, j)] =';
  test.each([
    ['a store to the gaps of D', store, `d[atD(p, i, j) + 1u] = 1f; ${store}`, 'complete', /outside C/],
    ['a store to C', store, `c[atC(p, i, j)] = 1f; ${store}`, 'complete', /entries of the operands/],
    ['a store to A', store, `a[atA(p, i, 0u)] = 1f; ${store}`, 'complete', /entries of the operands/],
    ['entries left out', store, `if (i == 1u) { return; } ${store}`, 'complete', /never written/],
    ['what lies between the lines of A', 'a[atA(p, i, q)]', 'a[atA(p, i, q) + 2u]', 'exact', /NaN/],
    ['another product', 'b[atB(p, q, j)]', 'b[atB(0u, q, j)]', 'exact', /./],
  ])('%s', async (_, from, to, check, message) => {
    const text = 'input=integers;m=5;k=3;n=4;batch=3;beta=2;a=n+2;c=n+1;d=n+2';
    const result = await judging(planted(from, to), open)(text);
    expect(failures(result)).toContain(check);
    expect(result.checks.find(({ name }) => name === check)?.message).toMatch(message);
  });

  test('no binding for a D apart from C', async () => {
    const without = { ...whole, wgsl: { ...whole.wgsl, bindings: { a: 0, b: 1, c: 2 } } };
    const { verdict, reason } = await judging(without, open)('input=integers;m=5;k=3;n=4;d=n');
    expect(verdict).toBe('fail');
    expect(reason).toMatch(/D is separate from C, but its bindings have no d/);
  });
});
