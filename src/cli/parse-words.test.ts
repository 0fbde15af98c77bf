import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cac } from 'cac';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inShort, itWhole } from '../base/in-short.testing.ts';
import { runHere } from './in-process.testing.ts';
import { parseWords } from './parse-words.ts';

const parsed = (...words: string[]) => {
  const cli = cac('test');
  cli
    .command('run [...files]', '')
    .option('--out <folder>', '')
    .option('--json [file]', '')
    .option('--list', '')
    .option('--allow-mixed', '')
    .option('--max-size <n>', '');
  return { options: parseWords(cli, ['node', 'test', 'run', ...words]), args: cli.args };
};

it.each(['1.10', '0x10', '1e3', '007', '-0', '.5', 'true', '1_000'])(
  'the folder %s keeps its name',
  (text) => {
    expect(parsed('--out', text).options.out).toBe(text);
    expect(parsed(`--out=${text}`).options.out).toBe(text);
    expect(parsed('--out', text, '--out', '2.0').options.out).toEqual([text, '2.0']);
  },
);

it('so do files, also behind an option that takes no value', () => {
  expect(parsed('1.10', '0x10').args).toEqual(['1.10', '0x10']);
  expect(parsed('--list', '1.10')).toMatchObject({ options: { list: true }, args: ['1.10'] });
  expect(parsed('--json', '--out', '1').options).toMatchObject({ json: true, out: '1' });
});

it('an option in hyphens that takes no value takes none', () => {
  expect(parsed('--allow-mixed', 'a.json', 'b.json')).toMatchObject({
    ...{ options: { allowMixed: true }, args: ['a.json', 'b.json'] },
  });
  expect(parsed('--max-size', '5', 'a.json')).toMatchObject({ options: { maxSize: '5' }, args: ['a.json'] });
  expect(parsed('--max-size=5').options).toMatchObject({ maxSize: '5' });
});

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
    'measure --on mirror --size 4': ['levels', 'tau1', 'seed', 'alpha', 'beta', 'batch'],
    'measure --on mirror': ['size'],
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
  /** What these say is right or has no meaning alone. */
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
      /^2147483647×2147483647×2147483647 takes about .* square products fit up to n = \d+\.\n$/,
    );
    expect(code).toBe(2);
  });
});
