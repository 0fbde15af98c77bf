import { afterAll, expect, test } from 'vitest';
import { inShort } from '../src/base/in-short.testing.ts';
import { Evaluator } from '../src/evidence/evaluate.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { computationIn } from '../src/gpu/computation.ts';
import { openNodeDevice } from '../src/gpu/node/open.ts';
import { builtinKernel } from '../src/kernels/builtin.ts';
import type { WgslKernel } from '../src/kernels/user-kernel.ts';
import type { Matrix } from '../src/matrix/dense.ts';
import type { Gemm } from '../src/matrix/gemm.ts';
import { precisions } from '../src/precision/precisions.ts';
import { parseCase } from '../src/problem/case.ts';
import { expectSameBits } from './compare.ts';
import { failures, judging } from './external.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

/** A kernel with an invocation for each entry of two parts. */
const naive: WgslKernel = {
  name: 'my-complex',
  precision: 'c32',
  accepts: { transposed: true, conjugated: true },
  wgsl: {
    source: ({ a, b, m, k, n }) => /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> a: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> b: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> c: array<vec2f>;
const conjugates = vec2f(${a.op === 'c' ? -1 : 1}, ${b.op === 'c' ? -1 : 1});
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.y;
  let j = id.x;
  if (i >= ${m}u || j >= ${n}u) { return; }
  var sum = vec2f();
  for (var p = 0u; p < ${k}u; p++) {
    let x = a[${a.op === 'n' ? `i * ${k}u + p` : `p * ${m}u + i`}] * vec2f(1, conjugates.x);
    let y = b[${b.op === 'n' ? `p * ${n}u + j` : `j * ${k}u + p`}] * vec2f(1, conjugates.y);
    sum += vec2f(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
  }
  c[i * ${n}u + j] = sum;
}`,
    workgroups: ({ m, n }) => [Math.ceil(n / 8), Math.ceil(m / 8)],
  },
};

const written = naive.wgsl.source as (gemm: Gemm) => string;

const cases = ['uniform;m=5;k=9;n=7', 'integers;m=9;k=4;n=17;a=c;b=t', 'uniform;m=6;k=11;n=3;a=t;b=c'];

const evaluator = new Evaluator(exactProduct);

test.each(
  inShort(
    [
      ['c32', '3m:naive', 1],
      ['c32', '3m:register', 1],
      ['c32', 'strassen:naive', 1],
      ['c64', '3m:naive', 1],
    ] as const,
    2,
  ),
)('our own product in %s by %s is the model’s', async (precision, name, levels) => {
  const kernel = builtinKernel(name, open, undefined, await computationIn(open, precisions.find(precision)));
  const plain = ['m=5;k=7;n=9'];
  const whole = ['m=1;k=3;n=2;batch=3;a=c+1;b=t@2;alpha=-0.5;beta=2;c=nf+1'];
  // Shaders of binary64 take long to compile.
  for (const more of precision === 'c64' ? plain : [...plain, ...whole]) {
    const value = parseCase(
      `kernel=${name};levels=${levels};precision=${precision};input=uniform;seed=5;${more}`,
    );
    const { outcomes, analysis, plan } = await evaluator.evaluate(
      await evaluator.prepare(value, kernel),
      open,
    );
    expect(plan.levels).toBe(1);
    expectSameBits(outcomes[0].c, analysis?.model as Matrix);
  }
});

test.each(cases)('complex WGSL passes %s', async (text) => {
  const { verdict } = await judging(naive, open)(`input=${text}`);
  expect(verdict).toBe('pass');
});

test.each([
  ['lost conjugation', (source: string) => source.replace('vec2f(-1, ', 'vec2f(1, ')],
  ['an entry too few', (source: string) => source.replace('i >= 9u ||', 'i >= 8u ||')],
  ['swapped parts', (source: string) => source.replace('= sum;', '= sum.yx;')],
])('and fails with %s', async (_, change) => {
  const source: WgslKernel['wgsl']['source'] = (gemm) => change(written(gemm));
  const result = await judging({ ...naive, wgsl: { ...naive.wgsl, source } }, open)(`input=${cases[1]}`);
  expect(failures(result)).not.toEqual([]);
});
