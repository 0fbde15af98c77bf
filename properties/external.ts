import { ParanoiaError } from '../src/base/errors.ts';
import type { CaseResult } from '../src/evidence/case-result.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { Evaluator } from '../src/evidence/evaluate.ts';
import { resultOf } from '../src/evidence/result-of.ts';
import { exactProduct } from '../src/exact/exact.ts';
import type { OpenDevice } from '../src/gpu/device.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openEncodeKernel, openWgslKernel } from '../src/kernels/on-gpu/open-on-gpu.ts';
import type { GpuKernel, WgslKernel } from '../src/kernels/user-kernel.ts';
import { precisions } from '../src/precision/precisions.ts';
import { parseCase } from '../src/problem/case.ts';
import { externalComputation } from '../src/run/open-machine.ts';

const evaluator = new Evaluator(exactProduct);

/**
 * Opens a kernel on our device.
 * @returns a function that runs the kernel as the gate does, on a case without its kernel: `input=uniform;m=5;k=3;n=7`.
 */
export function judging(
  spec: WgslKernel | GpuKernel,
  open: OpenDevice,
): (text: string) => Promise<CaseResult> {
  const { name, precision = 'f32', claims } = spec;
  const session = 'wgsl' in spec ? openWgslKernel(spec, () => open) : openEncodeKernel(spec, () => open);
  return async (text) => {
    const kernel = externalKernel(
      spec,
      session,
      await externalComputation(precisions.find(precision), claims, open),
    );
    const value = parseCase(`kernel=${name};precision=${precision};${text}`);
    const evidence = await evaluator.attempt({ case: value, kernel }, open);
    if (evidence instanceof ParanoiaError && evidence.code === 'device-lost') throw evidence;
    return resultOf(value, kernel, evidence, defaultThresholds);
  };
}

/** Returns the names of the checks that a result fails. */
export const failures = ({ checks }: CaseResult): string[] =>
  checks.filter(({ status }) => status === 'fail').map(({ name }) => name);

/** A first kernel as a user writes it: an invocation for each entry. */
export const naive: WgslKernel = {
  name: 'my-naive',
  wgsl: {
    source: /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> sizes: vec4u;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let m = sizes.x;
  let k = sizes.y;
  let n = sizes.z;
  let i = id.y;
  let j = id.x;
  if (i >= m || j >= n) { return; }
  var sum = 0.0;
  for (var p = 0u; p < k; p++) { sum += a[i * k + p] * b[p * n + j]; }
  c[i * n + j] = sum;
}`,
    bindings: { a: 0, b: 1, c: 2, sizes: 3 },
    workgroups: ({ m, n }) => [Math.ceil(n / 8), Math.ceil(m / 8)],
  },
};

/** Returns a kernel with its source changed in one place. */
export function changed(kernel: WgslKernel, from: string, to: string): WgslKernel {
  const { source } = kernel.wgsl;
  if (typeof source !== 'string' || !source.includes(from)) throw new Error(`There is no ${from}.`);
  return { ...kernel, wgsl: { ...kernel.wgsl, source: source.replace(from, () => to) } };
}
