import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { judgeProduct } from '../../../evidence/judge-product.ts';
import { findInput } from '../../../inputs/inputs.ts';
import { precisions } from '../../../precision/precisions.ts';
import { openProgram } from '../../host/node/open-external.ts';
import { productFrom } from '../../tampered.testing.ts';
import { expectedOf, gemms, operandsOf } from '../../whole-gemm.testing.ts';
import { numpyKernels, torchKernels } from './python.ts';

const has = (library: string) =>
  spawnSync(process.env.PYTHON || 'python3', ['-c', `import ${library}`]).status === 0;

const open = (name: string) => {
  const kernel = [...numpyKernels, ...torchKernels].find((each) => each.name === name);
  if (kernel === undefined) throw new Error(name);
  const { precision = 'f32' } = kernel;
  const request = { m: 33, k: 65, n: 17, levels: 0, seed: 3, precision: precisions.find(precision) };
  const { a, b } = findInput('uniform').generate(request);
  const session = openProgram(kernel, { cwd: process.cwd() });
  return { session, precision, a, b };
};

test.runIf(has('numpy')).each(numpyKernels.map(({ name }) => name))(
  '%s gives products of its precision, of whole numbers with everything asked, and its versions',
  async (name) => {
    const { session, precision, a, b } = open(name);
    const { c } = await productFrom(session, { operands: { a, b } });
    expect(judgeProduct(c, a, b, { precision, sigmas: 6 })).toMatchObject({ verdict: 'pass' });
    for (const [what, gemm] of gemms) {
      const operands = operandsOf(gemm);
      const { c: d } = await productFrom(session, { operands, gemm });
      expect([...d.data], what).toEqual(expectedOf(operands, gemm));
    }
    expect(await session.versions?.()).toMatchObject({ numpy: expect.stringMatching(/^\d+\.\d+/) });
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
