import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EXIT, ParanoiaError } from '../../base/errors.ts';
import { itWhole } from '../../base/in-short.testing.ts';
import { matrix } from '../../matrix/dense.ts';
import { writeNpy } from '../../matrix/node/npy-file.ts';
import { runCommand } from '../in-process.testing.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'measure-'));
  await writeNpy(at('a.npy'), matrix(2, 3, Float32Array.of(1, 2, 3, 4, 5, 6)));
  await writeNpy(at('b.npy'), matrix(3, 2, Float64Array.of(1, 0, 0, 1, 1, 1)));
  await writeNpy(at('third.npy'), matrix(3, 1, Float64Array.of(1 / 3, 1 / 3, 1 / 3)));
  await writeNpy(at('huge.npy'), matrix(1, 2, Float64Array.of(1, -1e300)));
  await writeNpy(
    at('special.npy'),
    matrix(2, 2, Float64Array.of(Number.NaN, 1, 2, Number.POSITIVE_INFINITY)),
  );
  await writeNpy(at('nan.npy'), matrix(2, 2, new Float64Array(4).fill(Number.NaN)));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  log.mockClear();
  expect(await runCommand(['measure', ...args])).toBe(EXIT.pass);
  return log.mock.calls.flat().join('\n');
}

const json = async (...args: string[]) => JSON.parse(await run('--json', '--adapter', 'software', ...args));

itWhole.each([
  [
    '500x4096x500',
    '500×4096 by 4096×500: the product first, then the exact product, the bit-exact model and the bounds',
  ],
  ['2400x4096x2400', '2400×4096 by 4096×2400: the product first, then the exact product or a sample of it'],
])('says what a product of %s is measured by, and foretells no time', async (shape, says) => {
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // Refused when operands are made, which comes next.
  const refused = json('--input', 'integers', '--precision', 'f16', '--size', shape);
  await expect(refused).rejects.toMatchObject({ code: 'input-refused' });
  const lines = told.mock.calls.map(([text]) => text).filter((text) => String(text).startsWith('Measuring'));
  expect(lines).toEqual([`Measuring ${says} (Ctrl-C ends it).\n`]);
});

describe('measure --json', () => {
  it('has the keys that scripts rely on', async () => {
    const measured = await json('--algorithm', 'strassen', '--levels', '1', '--size', '40');
    const number = expect.any(Number);
    expect(measured).toMatchObject({
      kernel: 'strassen:register',
      input: 'uniform',
      m: 40,
      k: 40,
      n: 40,
      levels: 1,
      maxError: number,
      meanError: number,
      against: 'exact',
      exact: { maxError: number, meanError: number, bits: number, componentwise: number, normwise: number },
      runningBound: number,
      sigma: number,
      worst: { i: number, j: number },
      adapter: { id: expect.any(String), kind: 'software' },
    });
    expect(measured.maxError).toBe(measured.exact.maxError);
    expect(measured.maxError).toBeGreaterThan(measured.meanError);
    expect(measured.runningBound).toBeGreaterThan(measured.maxError);
    expect(measured.exact.bits).toBeGreaterThan(18);
  });

  itWhole('measures against the ideal product where there is one', async () => {
    const args = ['--input', 'inverse-pair', '--size', '32', '--on', 'model'];
    const single = await json(...args);
    expect(single.against).toBe('ideal');
    expect(single.maxError).not.toBe(single.exact.maxError);
    expect((await json(...args, '--init', 'f32')).maxError).toBe(single.maxError);
    expect((await json(...args, '--init', 'f64')).maxError).not.toBe(single.maxError);
  });

  itWhole('multiplies one’s own matrices, wider entries rounded to binary32 first', async () => {
    const measured = await json('--a', at('a.npy'), '--b', at('b.npy'));
    expect(measured).toMatchObject({ m: 2, k: 3, n: 2, input: 'own matrices', maxError: 0, worst: null });
    const third = await json('--a', at('a.npy'), '--b', at('third.npy'), '--on', 'model');
    expect(third).toMatchObject({ m: 2, k: 3, n: 1 });
    expect(third.maxError).toBeLessThan(2e-6);
  });
});

it('prints the same for a person', async () => {
  const text = await run(
    '--size',
    '32',
    '--algorithm',
    'strassen',
    '--levels',
    '1',
    '--input',
    'inverse-pair',
  );
  for (const line of [
    /^product +32×32 by 32×32, strassen:register, f32, 1 level, fringe pad, tail mask$/m,
    /^input +inverse-pair, seed 1$/m,
    /^computed on +\S.*, \S+ m?s$/m,
    /^max error, ideal +\d\S+$/m,
    /^max error, exact +\d\S+$/m,
    /^worst entry +\(\d+, \d+\) in C[12]{2}$/m,
    /^running bound +\S+; the worst error uses \S+ % of its own/m,
    /^sigma +\S+; the worst error is \S+ of its own$/m,
    /^model +equal bit for bit$/m,
  ]) {
    expect(text).toMatch(line);
  }
  expect(await run('--size', '3', '--input', 'integers', '--on', 'model')).toMatch(/^worst entry +none$/m);
});

describe('says what it did to one’s own matrices', () => {
  const own = (a: string, b: string, ...more: string[]) =>
    run('--a', at(a), '--b', at(b), '--adapter', 'software', ...more).then(unfolded);
  // Joins long values that were wrapped.
  const unfolded = (text: string) => text.replace(/\n {2,}/g, ' ');

  it('how many entries were rounded first, and by how much', async () => {
    expect(await own('a.npy', 'third.npy')).toMatch(
      /^rounded first +to what f32 multiplies: no entry of A changed; 3 entries of B changed, by at most 9\.93e-9$/m,
    );
    expect(await run('--size', '4', '--on', 'model')).not.toMatch(/rounded first|^model/m);
  });

  itWhole('where NaN and infinities are, which have no error', async () => {
    const nothing = await own('nan.npy', 'special.npy');
    expect(nothing).toMatch(
      /^NaN and infinities +of 4 entries, 4 have the NaN or infinity of the exact product, 0 /m,
    );
    expect(nothing).not.toMatch(/^(max error|significant bits)/m);
    expect(await json('--a', at('nan.npy'), '--b', at('nan.npy'))).toMatchObject({
      maxError: null,
      exact: { bits: null, agreements: 4, disagreements: 0 },
    });
    const spread = unfolded(
      await run(...'--algorithm strassen --levels 2 --size 16 --input special-values'.split(' ')),
    );
    expect(spread).toMatch(/, [1-9]\d* have a wrong one; \d+ are finite in both$/m);
    expect(spread).toMatch(/^sigma +none, since an operand or an intermediate value is NaN or infinite$/m);
  });
});

describe('refuses with a sentence', () => {
  const own = (a: string, b: string, ...more: string[]) => ['--a', `@${a}`, '--b', `@${b}`, ...more];
  it.each<[string[], RegExp]>([
    [[], /^--size needs a size such as 1024 or 512x256x128, or give --a and --b\.$/],
    [['--size=-3'], /^--size must be a whole number from 0 to 2147483647, but is /],
    [['--size', '4x5'], /^--size must be a size such as 64, or three such as 129x65x33, but is "4x5"\.$/],
    [['--size', '4,5,6'], /^--size must be a whole number from 0 to 2147483647, but is "4,5,6"\.$/],
    [
      ['--size', '1e9'],
      /cannot be computed: A would take 10{18} entries, .* square matrices fit up to n = 65536/,
    ],
    [['--size', '4', '--algorithm', 'strasen'], /Did you mean "strassen"\?/],
    [['--size', '4', '--leaf', 'registr'], /Did you mean "register"\?/],
    [['--size', '4', '--fringe', 'pel'], /Did you mean "peel"\?/],
    [['--size', '4', '--input', 'unifrom'], /Did you mean "uniform"\?/],
    [['--size', '4', '--on', 'gp'], /Did you mean "gpu"\?/],
    [['--size', '4', '--seed=-1'], /^--seed must be a whole number/],
    [['--size', '4', '--levels', '1.5'], /^--levels must be a whole number from 0 to 15/],
    [['--size', '64', '--levels', '9'], /^levels must be so few/],
    [
      ['--size', '4', '--levels', '1', '--tau1', '2'],
      /^--tau1 cannot be combined with --levels\. Leave one of them out\.$/,
    ],
    [['--size', '4', '--tau1', '4', '--tau2', '2'], /^tau2 must be a whole number of at least tau1/],
    [['--size', '4x5x6', '--input', 'inverse-pair'], /does not support the shape 4×5×6, because/],
    [['--a', '@a.npy'], /^--a requires --b\.$/],
    [own('a.npy', 'b.npy', '--size', '2'), /^--a cannot be combined with --size\. Leave one of them out\.$/],
    [
      own('a.npy', 'b.npy', '--input', 'uniform'),
      /^--a cannot be combined with --input\. Leave one of them out\.$/,
    ],
    [own('a.npy', 'a.npy'), /^The shapes do not match: A is 2×3 and B is 2×3;/],
    [own('none.npy', 'b.npy'), /none\.npy cannot be read: it does not exist\./],
    [
      own('huge.npy', 'b.npy'),
      /^Entry \(0, 1\) of \S+huge\.npy is -1e\+300, beyond the largest f32 \(3\.40e\+38\)\. /,
    ],
  ])('%j', async (args, message) => {
    const refused = await run(...args.map((arg) => arg.replace(/^@/, `${folder}/`))).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(ParanoiaError);
    expect((refused as ParanoiaError).message).toMatch(message);
    expect((refused as ParanoiaError).exitCode).toBe(EXIT.usage);
  });
});
