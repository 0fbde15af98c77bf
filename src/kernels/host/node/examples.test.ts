import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { inShort } from '../../../base/in-short.testing.ts';
import { loadOwnKernels } from '../../../config/node/import-config.ts';
import { exactProduct } from '../../../exact/exact.ts';
import { matrix } from '../../../matrix/dense.ts';
import { productFrom } from '../../tampered.testing.ts';
import type { UserKernel } from '../../user-kernel.ts';
import { openExternal } from './open-in-process.ts';

const cwd = fileURLToPath(new URL('../../../../share/examples', import.meta.url));
const { kernels, items } = await loadOwnKernels(`${cwd}/paranoia.config.ts`);

const numpy = spawnSync('python3', ['-c', 'import numpy; print(numpy.__version__)'], { encoding: 'utf8' });
const needsPython = (kernel: UserKernel) => 'program' in kernel && kernel.program.command[0] === 'python3';
const cases = kernels.map((kernel) => {
  const runs = numpy.status === 0 || !needsPython(kernel);
  return { kernel, runs, name: `${kernel.name}${runs ? '' : ' (skipped: there is no python3 with numpy)'}` };
});

const whole = (rows: number, cols: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, (_, at) => ((7 * at) % 19) - 9),
  );

it('shows functions and both kinds of programs', () => {
  expect(kernels.map(({ name }) => name)).toEqual([
    ...['my-loop', 'numpy-once', 'numpy-worker', 'numpy-worker-f64', 'my-worker'],
  ]);
});

for (const { kernel, runs, name } of inShort(cases, 4)) {
  it.skipIf(!runs).concurrent(`example ${name}`, async () => {
    const device = () => {
      throw new Error('It needs none.');
    };
    const session = await openExternal(
      kernel,
      { cwd, device },
      items.precisions.find(kernel.precision ?? 'f32'),
    );
    // The second product fits into no pipe.
    for (const [m, k, n] of [
      [3, 4, 2],
      [150, 140, 130],
    ]) {
      const [a, b] = [whole(m, k), whole(k, n)];
      const { c } = await productFrom(session, { operands: { a, b } });
      expect([c.rows, c.cols, ...c.data]).toEqual([m, n, ...exactProduct(a, b).product.data]);
    }
    const versions = await session.versions?.();
    if (kernel.name === 'my-worker') expect(versions).toEqual({ node: process.version });
    if (kernel.name === 'numpy-worker') expect(versions?.numpy).toBe(numpy.stdout.trim());
    await session.close?.();
  });
}
