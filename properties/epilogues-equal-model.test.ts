import { describe, expect, it } from 'vitest';
import { inShort } from '../src/base/in-short.testing.ts';
import { loadEpilogueDrawing } from '../src/evidence/epilogue/numbers.ts';
import { prepareJob } from '../src/evidence/prepare.ts';
import { computationIn } from '../src/gpu/computation.ts';
import { builtinKernel } from '../src/kernels/builtin.ts';
import { multiply } from '../src/kernels/kernel.ts';
import { modelKernel } from '../src/kernels/model-kernel.ts';
import { precisions } from '../src/precision/precisions.ts';
import { parseCase } from '../src/problem/case.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';

/**
 * The law: the steps behind a product of our kernels are on the device what they are in the model, bit for bit, in the last sum of a
 * leaf product as in the pass that writes D.
 */
const { open } = await openGpu();

/** Kernels that compute the steps in a leaf's last sum, entry by entry, and in the pass that writes D. */
const kernels = [
  'classical:naive',
  'strassen:tiled;levels=1',
  'classical:naive;a=t+1;b=nf@3;d=nf+2',
  'classical:tiled',
  'classical:register;batch=3;alpha=0.5;beta=-3;d=n+1@2',
  'winograd:tiled;levels=1;fringe=peel;batch=2',
  'strassen:fused;levels=1',
  'classical:gpu8',
  'classical:register',
  'classical:staged-32x32-4x4-columns-double',
];

/** The steps that call no function, in few chains. */
const chains = [
  'scale:column,bias:row,leaky-relu:any,squared-relu',
  'residual,relu,scale:scalar,clamp',
  'bias:scalar,scale:row,bias:column,requantize:int8:row:any',
];

async function compare(text: string): Promise<void> {
  const value = parseCase(text);
  await loadEpilogueDrawing(value);
  const computation = await computationIn(open, precisions.find(value.problem.precision));
  const job = prepareJob(value, builtinKernel(value.kernel, open, undefined, computation));
  const { c, ...left } = await multiply(job);
  expect(left).toMatchObject({ unwritten: 0, overwritten: 0, changed: 0 });
  const model = await multiply({ ...job, kernel: modelKernel(job.kernel.algorithm, computation) });
  expectSameBits(c, model.c);
}

describe("epilogues of our kernels are the model's", () => {
  it.each(inShort(kernels, 2))('%s', async (kernel) => {
    for (const chain of chains)
      await compare(`kernel=${kernel};input=uniform;m=37;k=21;n=27;epilogue=${chain}`);
    await compare(`kernel=${kernel};input=uniform;m=32;k=16;n=64;epilogue=${chains[0]}`);
  });

  it.each(inShort(['bf16-f32-bf16', 'bf16-f32', 'e4m3-f32'], 2))('in %s', async (precision) => {
    for (const kernel of ['classical:tiled', 'classical:naive;a=t+1', 'strassen:tiled;levels=1'])
      for (const chain of chains)
        await compare(`kernel=${kernel};precision=${precision};input=uniform;m=9;k=7;n=8;epilogue=${chain}`);
  });
});
