import { afterAll, expect, test } from 'vitest';
import { uniform } from '../inputs/uniform.ts';
import { builtinKernel } from '../kernel/builtin.ts';
import { findFault } from '../kernel/faults/faults.ts';
import { computationIn } from './computation.ts';
import { execute } from './execute.ts';
import { executeMany, type Work } from './execute-many.ts';
import { openNodeDevice } from './node/open.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

async function workOf(name: string, seed: number, levels: number, fault?: string): Promise<Work> {
  const tampering = fault === undefined ? {} : findFault(fault).tampering;
  const kernel = builtinKernel(name, open, tampering, await computationIn(open, seed === 3 ? 'f64' : 'f32'));
  const shape = { m: 3 + 5 * seed, k: 7, n: 11 - seed };
  const { a, b } = uniform.generate({ ...shape, seed });
  const plan = kernel.plan(shape, { levels, border: seed === 2 ? 'peel' : 'pad', edge: 'guard' });
  return kernel.work?.(a, b, plan) as Work;
}

/** The place of the fault whose result differs from run to run. */
const RACING = 2;

test('are what each is alone: peeled, in other precisions, beside faulty ones', async () => {
  const works = [
    await workOf('strassen:naive', 1, 1),
    await workOf('classical:register', 1, 0, 'shifted-binding'),
    await workOf('classical:naive', 1, 0, 'operand-overwritten'),
    await workOf('winograd:tiled', 2, 2),
    await workOf('classical:naive', 3, 0),
    await workOf('classical:naive', 4, 0, 'unwritten-last-row'),
  ];
  let meanwhile = 0;
  const together = await executeMany(open, works, () => meanwhile++);
  expect(meanwhile).toBe(1);
  for (const [at, { plan, made, a, b, kernel }] of works.entries()) {
    const { seconds: _, ...alone } = await execute(open, plan, made, a, b, kernel);
    // What is overwritten while it is read may be read before or after.
    const expected = at === RACING ? { ...alone, c: expect.anything() } : alone;
    expect(together[at]).toEqual({ ...expected, seconds: undefined });
  }
  const troubles = together.map(({ unwritten, guardsTouched, operandsChanged }) => [
    unwritten > 0,
    guardsTouched > 0,
    (operandsChanged ?? 0) > 0,
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

test('say that one of them does not compile', async () => {
  const good = await workOf('classical:naive', 1, 0);
  const dispatches = good.made.dispatches.map((dispatch) => ({ ...dispatch, shader: 'nonsense' }));
  const bad = { ...good, made: { ...good.made, dispatches } };
  await expect(executeMany(open, [good, bad])).rejects.toMatchObject({ code: 'bad-shader' });
  expect(await executeMany(open, [good])).toHaveLength(1);
});
