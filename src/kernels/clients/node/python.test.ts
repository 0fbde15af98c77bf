import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { inShort } from '../../../base/in-short.testing.ts';
import { defaultThresholds } from '../../../evidence/checks/check.ts';
import { Evaluator } from '../../../evidence/evaluate.ts';
import { judgeProduct } from '../../../evidence/judge-product.ts';
import { resultOf } from '../../../evidence/result-of.ts';
import { exactProduct } from '../../../exact/exact.ts';
import type { Machine } from '../../../gpu/device.ts';
import { findInput } from '../../../inputs/inputs.ts';
import { applyClaims } from '../../../precision/precision.ts';
import { isComplex, precisions } from '../../../precision/precisions.ts';
import { parseCase } from '../../../problem/case.ts';
import { externalKernel } from '../../external-kernel.ts';
import { openProgram } from '../../host/node/open-program.ts';
import { productFrom } from '../../tampered.testing.ts';
import type { ProgramKernel } from '../../user-kernel.ts';
import { computeExpected, gemms, makeTestOperands } from '../../whole-gemm.testing.ts';
import { numpyKernels, torchKernels } from './python.ts';

const has = (library: string) =>
  spawnSync(process.env.PYTHON || 'python3', ['-c', `import ${library}`]).status === 0;

const open = (name: string) => {
  const kernel = [...numpyKernels, ...torchKernels].find((each) => each.name === name);
  if (kernel === undefined) throw new Error(name);
  const { precision = 'f32' } = kernel;
  const request = {
    m: 33,
    k: 65,
    n: 17,
    levels: 0,
    seed: 3,
    precision: precisions.find(precision),
  };
  const { a, b } = findInput('uniform').generate(request);
  const session = openProgram(kernel, { cwd: process.cwd() });
  return { session, precision, a, b };
};

const [complex, real] = [true, false].map((wanted) =>
  numpyKernels.filter(({ precision = 'f32' }) => isComplex(precision) === wanted).map(({ name }) => name),
);

test.runIf(has('numpy')).each(inShort(real, 4))(
  '%s gives products of its precision, of whole numbers with everything asked, and its versions',
  async (name) => {
    const { session, precision, a, b } = open(name);
    const { c } = await productFrom(session, { operands: { a, b } });
    expect(judgeProduct(c, a, b, { precision, sigmas: 6 })).toMatchObject({
      verdict: 'pass',
    });
    for (const [what, gemm] of gemms) {
      const operands = makeTestOperands(gemm);
      const { c: d } = await productFrom(session, { operands, gemm });
      expect([...d.data], what).toEqual(computeExpected(operands, gemm));
    }
    expect(await session.versions?.()).toMatchObject({
      numpy: expect.stringMatching(/^\d+\.\d+/),
    });
    await session.close?.();
  },
);

const evaluator = new Evaluator(exactProduct);

test.runIf(has('numpy')).each(inShort(complex, 2))(
  '%s gives complex products, with everything asked',
  async (name) => {
    const spec = numpyKernels.find((each) => each.name === name) as ProgramKernel;
    const session = openProgram(spec, { cwd: process.cwd() });
    const kernel = externalKernel(spec, session, applyClaims(precisions.find(spec.precision ?? 'c32')));
    for (const text of [
      'input=integers;m=5;k=9;n=7',
      'input=integers;m=4;k=6;n=3;a=c;b=c+2',
      'input=integers;m=4;k=6;n=3;batch=3;a=cf+1@2;b=t*same;alpha=-2;beta=0.5;c=nf+1;d=n',
      'input=uniform;m=33;k=17;n=9;a=nf;b=c',
      'input=uniform;m=3;k=0;n=4;beta=1',
      'input=integers;m=4;k=6;n=3;alpha=2i;beta=1-3i;a=c',
      'input=uniform;m=5;k=7;n=3;alpha=0.3+0.7i;batch=2;beta=-i',
    ]) {
      const value = parseCase(`kernel=${name};precision=${spec.precision};${text}`);
      const found = await evaluator.attempt({ case: value, kernel }, {} as Machine);
      const { verdict, reason } = await resultOf(value, kernel, found, defaultThresholds);
      expect([verdict, reason]).toEqual(['pass', reason]);
    }
    await session.close?.();
  },
);

test.runIf(has('numpy') && !has('torch'))(
  'what is not installed is named, with what installs it',
  async () => {
    const { session, a, b } = open('torch:cuda-f32');
    await expect(productFrom(session, { operands: { a, b } })).rejects.toThrow(
      /has no PyTorch .*-m pip install torch/,
    );
    await session.close?.();
  },
);
