import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inShort, itWhole } from '../src/base/in-short.testing.ts';
import { prepareJob } from '../src/evidence/prepare.ts';
import { analysisOf } from '../src/evidence/weigh.ts';
import { computationIn } from '../src/gpu/computation.ts';
import { builtinKernel } from '../src/kernels/builtin.ts';
import { findFault } from '../src/kernels/faults/faults.ts';
import { multiply } from '../src/kernels/kernel.ts';
import { precisions } from '../src/precision/precisions.ts';
import { type Case, parseCase } from '../src/problem/case.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { law } from './law.ts';

/**
 * The law: alpha·op(A)·op(B) + beta·C of any storage and batch is on the device what it is in the model, bit for bit, and only D is
 * written.
 *
 * Why: matrices are moved into the blocks of the plan and out of them as words; the computation between is the plan's.
 */
const gpu = await openGpu();
const { open } = gpu;

const kernels = [
  ['classical:naive', 0],
  ['classical:naive', 0],
  ['strassen:naive', 0],
  ['classical:register', 0],
  ['classical:tiled', 0],
  ['strassen:naive', 1],
  ['strassen:register', 2],
  ['winograd:tiled', 1],
  ['winograd:wide', 1],
  ['winograd:wide', 2],
  ['strassen:fused', 0],
  ['strassen:fused', 1],
] as const;

const factors = fc.constantFrom(1, 1, 0, -1, 0.5, -3, 1 / 3, 1e10);
const storage = (ops: readonly string[], mayShare: boolean) =>
  fc
    .record({
      op: fc.constantFrom(...ops),
      order: fc.constantFrom('', 'f'),
      pad: fc.constantFrom('', '', '+1', '+3'),
      offset: fc.constantFrom('', '', '@1', '@64'),
      gap: fc.constantFrom('', '', '*5', '*interleaved', ...(mayShare ? ['*same'] : [])),
    })
    .map(({ op, order, pad, offset, gap }) => `${op}${order}${pad}${offset}${gap}`);
const size = fc.constantFrom(1, 2, 3, 5, 8, 13, 17, 20);

const texts = fc
  .record({
    kernel: fc.constantFrom(...kernels),
    method: fc.constantFrom('fringe=pad;tail=mask', 'fringe=pad;tail=pad', 'fringe=peel;tail=mask'),
    m: size,
    k: fc.oneof({ weight: 12, arbitrary: size }, { weight: 1, arbitrary: fc.constant(0) }),
    n: fc.oneof({ weight: 12, arbitrary: size }, { weight: 1, arbitrary: fc.constant(0) }),
    batch: fc.constantFrom(1, 1, 2, 3, 3, 0),
    alpha: factors,
    beta: factors,
    a: storage(['n', 't'], true),
    b: storage(['n', 't'], true),
    apart: fc.boolean(),
    seed: fc.nat(1000),
  })
  .chain((drawn) =>
    fc.record({ c: storage(['n'], drawn.apart), d: storage(['n'], false) }).map(({ c, d }) => {
      const { kernel, method, m, k, n, batch, alpha, beta, a, b, apart, seed } = drawn;
      const [name, levels] = kernel;
      const stored = `a=${a};b=${b};c=${c}${apart ? `;d=${d}` : ''}`;
      return `kernel=${name};input=uniform;seed=${seed};m=${m};k=${k};n=${n};levels=${levels};${method};batch=${batch};alpha=${alpha};beta=${beta};${stored}`;
    }),
  );

async function compare(value: Case): Promise<void> {
  const computation = await computationIn(open, precisions.find(value.problem.precision));
  const job = prepareJob(value, builtinKernel(value.kernel, open, undefined, computation));
  const { c, ...left } = await multiply(job);
  expect(left).toMatchObject({ unwritten: 0, overwritten: 0, changed: 0 });
  expectSameBits(c, analysisOf(job).model);
}

describe('alpha·op(A)·op(B) + beta·C', () => {
  law("is the model's", 40, texts, async (text) => compare(parseCase(text)));

  it.each(inShort(['bf16-f32', 'f64', 'f32x2', 'f16-f32', 'f16'], 3))('also in %s', async (precision) => {
    const fused = precision === 'f32x2' ? ['strassen:fused;levels=1'] : [];
    for (const kernel of ['classical:naive;levels=0', 'strassen:tiled;levels=1', ...fused]) {
      const stored = 'a=t+1*same;b=nf@3;c=n+2@1*7;d=nf+1';
      const text = `kernel=${kernel};precision=${precision};input=uniform;m=9;k=7;n=6;batch=3;alpha=0.5;beta=-3;${stored}`;
      await compare(parseCase(text));
    }
  });

  itWhole.each(
    inShort(
      [
        'classical:staged-32x32-4x4-columns-double;levels=0;fringe=pad;tail=mask;m=37;k=59',
        'classical:staged-32x32-4x4-columns-double;levels=0;fringe=pad;tail=pad;m=37;k=41',
        'strassen:staged-32x32-4x4-columns-double;levels=1;fringe=peel;tail=mask;m=65;k=49',
      ],
      3,
    ),
  )('also where a trip of the loop takes two parts of k: %s', async (kernel) => {
    const stored = 'a=t+1*same;b=nf@3;c=n+2@1*7;d=nf+1';
    const text = `kernel=${kernel};n=34;input=uniform;batch=2;alpha=0.5;beta=-3;${stored}`;
    await compare(parseCase(text));
  });

  it('has the fault that is planted in its kernel', async () => {
    const { kernel, tampering } = findFault('transposed-b');
    const text = `kernel=${kernel};input=uniform;m=7;k=7;n=7;batch=2;a=t;b=nf+1`;
    const job = prepareJob(parseCase(text), builtinKernel(kernel, open, tampering));
    const { c, ...left } = await multiply(job);
    expect(left).toMatchObject({ unwritten: 0, overwritten: 0, changed: 0 });
    expect(() => expectSameBits(c, analysisOf(job).model)).toThrow('entries differ');
  });
});
