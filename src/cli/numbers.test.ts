import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inShort, itWhole } from '../base/in-short.testing.ts';
import { runHere } from './in-process.testing.ts';

describe('numbers that no option takes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'words-'));
    await writeFile(join(folder, 'k.mjs'), 'export const matmul = () => {};');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const given = ['1e99', '-1', 'NaN', '0x10', '1e-400', '99999999999999999999', 'Infinity', '1.5', ' '];
  const gate = [
    'seed',
    'levels',
    'size',
    'replicates',
    'sigmas',
    'drift',
    'jobs',
    'budget',
    'cases',
    'time-limit',
  ];
  const taken: Readonly<Record<string, readonly string[]>> = {
    'gate --kernel classical:naive': [...gate, 'shard'],
    'gate k.mjs': ['seed', 'size', 'jobs'],
    'fuzz k.mjs': ['max-size', 'cases', 'runs', 'time', 'seed', 'around', 'sigmas', 'shard'],
    'study strassen-2011': [
      'max-size',
      'shrink',
      'pairs',
      'time-limit',
      'trials',
      'warm-up',
      'seconds',
      'sizes',
    ],
    'inspect k.mjs': ['size', 'seed', 'levels'],
    'measure --on model --size 4': ['levels', 'tau1', 'seed', 'alpha', 'beta', 'batch'],
    'measure --on model': ['size'],
    describe: ['levels', 'tau1', 'tau2', 'size'],
    'reference --size 4': ['seed', 'alpha', 'beta'],
    reference: ['size'],
    selftest: ['binary64', 'seed'],
    'selftest --binary64 1': ['seed'],
    bench: ['size', 'runs'],
    'bench kernels': ['sizes', 'levels', 'trials', 'warm-up', 'seconds', 'seed'],
    'bench reference': ['size', 'runs'],
    tune: ['size', 'runs'],
  };
  /** Texts that are valid for these options, or mean nothing alone. */
  const sound: Readonly<Record<string, readonly string[]>> = {
    '1e99': ['alpha', 'beta'],
    '-1': ['alpha', 'beta'],
    '1.5': ['alpha', 'beta', 'sigmas', 'drift', 'time-limit', 'budget', 'time', 'seconds', 'shrink'],
    '99999999999999999999': ['alpha', 'beta'],
  };
  const cases = Object.entries(taken).flatMap(([call, flags]) =>
    flags.flatMap((flag) =>
      given.filter((text) => sound[text]?.includes(flag) !== true).map((text) => [call, flag, text] as const),
    ),
  );

  itWhole('are refused in one sentence', async () => {
    for (const [call, flag, text] of inShort(cases, 4)) {
      const { code, stdout, stderr } = await runHere(folder, [...call.split(' '), `--${flag}`, text]);
      const [sentence, ...more] = stderr.trimEnd().split('\n');
      const about = { call, flag, text, sentence, more };
      expect({ ...about, code, stdout }).toEqual({ ...about, more: [], code: 2, stdout: '' });
      expect(sentence, call).toMatch(/\.$|such as|Give/);
    }
  });

  it('no file of a size that memory does not hold is begun', async () => {
    const { code, stderr } = await runHere(folder, ['reference', '--size', '2147483647']);
    expect(stderr).toMatch(
      /^2147483647×2147483647×2147483647 needs about .* Square products fit up to n = \d+\.\n$/,
    );
    expect(code).toBe(2);
  });
});
