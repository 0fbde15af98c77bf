import { afterAll, expect, test } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { uniform } from '../../inputs/uniform.ts';
import { builtinKernel } from '../../kernels/builtin.ts';
import { findFault } from '../../kernels/faults/faults.ts';
import { doublePrecision } from '../../precision/double.ts';
import { singlePrecision } from '../../precision/single.ts';
import { computationIn } from '../computation.ts';
import { openNodeDevice } from '../node/open.ts';
import type { DeviceJob, Executable } from './device-job.ts';
import { requireProduct } from './product.ts';
import { runDeviceJobs } from './run.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

async function jobOf(name: string, seed: number, levels: number, fault?: string): Promise<DeviceJob> {
  const tampering = fault === undefined ? undefined : findFault(fault).tampering;
  const kernel = builtinKernel(
    name,
    open,
    tampering,
    await computationIn(open, seed === 3 ? doublePrecision : singlePrecision),
  );
  const shape = { m: 3 + 5 * seed, k: 7, n: 11 - seed };
  const { a, b } = uniform.generate({ ...shape, seed });
  const plan = kernel.plan(shape, { levels, fringe: seed === 2 ? 'peel' : 'pad', tail: 'mask' });
  return { ...(kernel.executable?.(plan) as Executable), a, b };
}

/** The index of the faulty job whose result differs from run to run. */
const RACING = 2;

itWhole('are what each is alone: peeled, in other precisions, beside faulty ones', async () => {
  const jobs = [
    await jobOf('strassen:naive', 1, 1),
    await jobOf('classical:register', 1, 0, 'shifted-binding'),
    await jobOf('classical:naive', 1, 0, 'operand-overwritten'),
    await jobOf('winograd:tiled', 2, 2),
    await jobOf('classical:naive', 3, 0),
    await jobOf('classical:naive', 4, 0, 'unwritten-last-row'),
  ];
  let meanwhile = 0;
  const together = (await runDeviceJobs(open, jobs, () => meanwhile++)).map(requireProduct);
  expect(meanwhile).toBe(1);
  for (const [at, job] of jobs.entries()) {
    const { seconds: _, ...alone } = requireProduct((await runDeviceJobs(open, [job]))[0]);
    // An entry that is overwritten while it is read may be read before or after.
    const expected = at === RACING ? { ...alone, c: expect.anything() } : alone;
    expect(together[at]).toEqual({ ...expected, seconds: undefined });
  }
  const troubles = together.map(({ unwritten, overwritten, changed }) => [
    unwritten > 0,
    overwritten > 0,
    (changed ?? 0) > 0,
  ]);
  expect(troubles).toEqual([
    [false, false, false],
    [true, true, false],
    [false, false, true],
    [false, false, false],
    [false, false, false],
    [true, false, false],
  ]);
});

test('one that does not compile is the only one to fail', async () => {
  const good = await jobOf('classical:naive', 1, 0);
  const dispatches = good.made.dispatches.map((dispatch) => ({ ...dispatch, shader: 'nonsense' }));
  const bad = { ...good, made: { ...good.made, dispatches } };
  let meanwhile = 0;
  const [one, other] = await runDeviceJobs(open, [good, bad], () => meanwhile++);
  expect(requireProduct(one).unwritten).toBe(0);
  expect(other).toMatchObject({ code: 'bad-shader' });
  expect(meanwhile).toBe(1);
});
