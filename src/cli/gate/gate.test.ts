import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWhole, itWhole } from '../../base/in-short.testing.ts';
import { flagOf, type Option } from '../../options/option.ts';
import type { Results } from '../../run/results.ts';
import { runHere } from '../in-process.testing.ts';
import { gateOptions } from './options.ts';

const schema = new URL('../../../share/schemas/results.schema.json', import.meta.url);
const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(schema, 'utf8')),
);

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gate-'));
});
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'run-'));

/** Runs a gate in a folder, as a user would. */
const gate = (cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runHere(cwd, ['gate', '--adapter', 'software', ...args], env);

/** One process: judging processes take seconds to start. */
const alone = isWhole ? [] : ['--jobs', '1'];

async function resultsIn(folder: string): Promise<Results> {
  const results = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
  validate(results);
  expect(validate.errors).toBe(null);
  return results;
}

const HONEST = 'kernel=strassen:register;levels=1;input=uniform;m=24;k=20;n=22';
const FAULTY = 'kernel=classical:naive;input=integers;m=9;k=8;n=7;fault=dropped-last-k';
const FULL =
  'kernel=classical:naive;levels=0;fringe=pad;tail=mask;input=integers;m=9;k=8;n=7;seed=1;fault=dropped-last-k';

describe('a gate', () => {
  it('that fails exits 1, and prints a command that replays exactly what failed', async () => {
    const folder = await newFolder();
    const { code, stdout } = await gate(folder, [
      '--case',
      HONEST,
      '--case',
      FAULTY,
      '--out',
      'all',
      ...alone,
    ]);
    expect(code).toBe(1);
    const results = await resultsIn(join(folder, 'all'));
    const { cases, verdict } = results;
    expect([verdict, ...cases.map((result) => result.verdict)]).toEqual(['fail', 'pass', 'fail']);
    const replayOf = (text: string) => /gate --case '(.*?)'(.*)$/m.exec(text)?.slice(1);
    expect(replayOf(cases[1].replay)).toEqual([FULL, " --adapter 'software'"]);
    const again = await gate(folder, ['--case', FULL, '--out', 'again']);
    expect(again.code).toBe(1);
    const replay = await resultsIn(join(folder, 'again'));
    const { seconds: _now, judgingSeconds: _then, ...same } = cases[1];
    expect(replay.cases).toEqual([expect.objectContaining(same)]);
    const [, command] = /replay: npx gemm-paranoia gate (.*)$/m.exec(stdout) ?? [];
    expect(command).toBe("--replay 1 --out 'all' --adapter 'software'");
    const [, printed] = /^ +case: (.*)$/m.exec(stdout) ?? [];
    expect(printed).toMatch(/;m=1;k=1;n=1;seed=1;fault=dropped-last-k$/);
    const before = await readFile(join(folder, 'all/results.json'), 'utf8');
    expect((await gate(folder, ['--replay', '1', '--out', 'all'])).code).toBe(1);
    expect(await readFile(join(folder, 'all/results.json'), 'utf8')).toBe(before);
    const small = await resultsIn(join(folder, 'all/replay'));
    expect(small.cases.map((result) => result.case)).toEqual([printed]);
    const none = await gate(folder, ['--replay', '2', '--out', 'all']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/^--replay 2 does not exist: /)]);
  });

  it('writes the reports asked for, and adds to the summary of a CI step', async () => {
    const folder = await newFolder();
    const summary = join(folder, 'step.md');
    await writeFile(summary, '# Before\n');
    const args = ['--case', FAULTY, '--reporter', 'table,json,junit,markdown', '--out', 'deep/er'];
    const { code, stderr, stdout } = await gate(folder, args, { GITHUB_STEP_SUMMARY: summary });
    expect(code).toBe(1);
    const written = await readdir(join(folder, 'deep/er'));
    expect(written.sort()).toEqual(['junit.xml', 'results.json', 'results.txt', 'summary.md']);
    for (const file of written) expect(stderr).toContain(`Wrote ${join('deep/er', file)}`);
    const text = (file: string) => readFile(join(folder, 'deep/er', file), 'utf8');
    expect(await text('junit.xml')).toMatch(/<testsuite name="classical:naive" [^>]*failures="1"/);
    const step = await readFile(summary, 'utf8');
    expect(step).toBe(`# Before\n\n${await text('summary.md')}`);
    expect(step).toContain(`<code>${/replay: (.*)$/m.exec(stdout)?.[1]}</code>`);
  });

  itWhole('prints what fits a screen, and with --verbose what the table of all results has', async () => {
    const folder = await newFolder();
    const args = ['--case', FAULTY, '--reporter', 'table', '--out', '.'];
    const short = await gate(folder, args);
    expect(short.stdout.split('\n').length).toBeLessThan(20);
    const verbose = await gate(folder, [...args, '--verbose']);
    expect(verbose.stdout).toBe(await readFile(join(folder, 'results.txt'), 'utf8'));
    expect(verbose.stdout).toContain(`FAIL ${FULL}`);
  });

  it('in which nothing applies exits 4', async () => {
    const folder = await newFolder();
    const { code, stderr } = await gate(folder, ['--ours', '--input', 'inverse-pair', '--size', '4x5x6']);
    expect(code).toBe(4);
    expect(stderr).toBe(
      'No case ran: no input accepts these sizes and levels. Choose other sizes or inputs.\n',
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

/** Options that select the cases, the runtime, the extent and the reports; all others affect how a case is judged. */
/** Options of untrusted kernels. */
const OF_A_REFEREE = ['untrusted', 'sandbox', 'algorithm', 'reads'];

itWhole('every option that changes how a case is judged is said in its replay', async () => {
  const folder = await newFolder();
  const [config, baselines] = [join(folder, 'mine.mjs'), join(folder, 'kept')];
  await writeFile(config, 'export default {};');
  await mkdir(baselines);
  const ofFiles = { python: 'mine', device: 'cuda', convention: 'cblas' };
  const given = {
    config,
    baselines,
    adapter: 'software',
    toggle: 'a,b',
    sigmas: '5',
    drift: '3',
    in: 'node',
    ...ofFiles,
  };
  const judging = Object.values<Option>(gateOptions)
    .filter(({ scope }) => scope === 'judging')
    .map((option) => flagOf(option).slice(2))
    .filter((name) => !OF_A_REFEREE.includes(name));
  expect(judging.toSorted()).toEqual(Object.keys(given).sort());
  // Every other option says what it decides; these decide no case and no judgment.
  const unscoped = Object.entries<Option>(gateOptions).filter(([, { scope }]) => scope === undefined);
  expect(unscoped.map(([key]) => key)).toEqual(['ours', 'list', 'json', 'corpus']);
  const said = Object.entries(given).map(([name, value]) => [`--${name}`, value]);
  const { code } = await runHere(folder, ['gate', '--case', FAULTY, '--out', folder, ...said.flat()]);
  expect(code).toBe(1);
  const [{ replay }] = (await resultsIn(folder)).cases;
  for (const [name, value] of said) expect(replay).toContain(` ${name} '${value}'`);
});

itWhole('who does not trust a kernel says so in its replay', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'mine.mjs'), 'export default () => new Float32Array(1);');
  const given = { sandbox: 'off', algorithm: 'strassen:2', reads: 'beside' };
  expect([...Object.keys(given), 'untrusted'].sort()).toEqual(OF_A_REFEREE.toSorted());
  const said = Object.entries(given).map(([name, value]) => [`--${name}`, value]);
  const one = 'kernel=mine.mjs;m=1;k=1;n=1;input=integers';
  const args = ['gate', 'mine.mjs', '--untrusted', '--case', one, '--out', folder, ...said.flat()];
  expect((await runHere(folder, args)).code).toBe(1);
  const [{ replay }] = (await resultsIn(folder)).cases;
  expect(replay).toMatch(/ gate mine\.mjs .* --untrusted( |$)/);
  for (const [name, value] of said) expect(replay).toContain(` ${name} '${value}'`);
});

describe('baselines', () => {
  itWhole('are written with -u, hold later runs, and are never overwritten', async () => {
    const folder = await newFolder();
    const kept = join(folder, 'kept');
    const args = ['--case', HONEST, '--baselines', 'kept', '--out', 'out'];
    const first = await gate(folder, [...args, '-u']);
    expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/^1 baselines? added for /m) });
    const [name] = await readdir(kept);
    const file = join(kept, name);
    const baselines = JSON.parse(await readFile(file, 'utf8'));
    const [[key, baseline]] = Object.entries<{ maxError: number; meanError: number }>(baselines.cases);
    expect(`${baselines.adapter}.json`).toBe(name);
    const { adapter, cases } = await resultsIn(join(folder, 'out'));
    expect([adapter.id, cases[0].case]).toEqual([baselines.adapter, key]);
    expect(cases[0].exact).toMatchObject(baseline);

    expect((await gate(folder, args)).code).toBe(0);
    const drift = (await resultsIn(join(folder, 'out'))).cases[0].checks.find(
      (check) => check.name === 'drift',
    );
    expect(drift).toMatchObject({ status: 'pass', found: baseline.meanError });

    const doctored = { ...baselines, cases: { [key]: { ...baseline, meanError: baseline.meanError / 3 } } };
    await writeFile(file, JSON.stringify(doctored));
    const drifted = await gate(folder, [...args, '-u']);
    expect(drifted.code).toBe(1);
    expect(drifted.stdout).toMatch(/3 times its baseline of/);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(doctored);
    expect((await gate(folder, [...args, '--drift', '4'])).code).toBe(0);

    await writeFile(file, '{');
    const corrupt = await gate(folder, args);
    expect(corrupt).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be used: it is not JSON'),
    });
    expect(await readdir(kept)).toEqual([name]);
  });

  itWhole('are said to be missing where they can be recorded, and nowhere else', async () => {
    const folder = await newFolder();
    const args = ['--kernel', 'classical:naive', '--levels', '0', '--size', '4', '--input', 'uniform'];
    const missing =
      /^No baseline is recorded for this machine, so errors were not compared with earlier ones; --update records one\.$/m;
    expect((await gate(folder, args)).stderr).toMatch(missing);
    expect((await gate(folder, args, { CI: 'true' })).stderr).not.toMatch(missing);
    expect((await gate(folder, ['--case', HONEST])).stderr).not.toMatch(missing);
    expect((await gate(folder, [...args, '--shard', '1/1'])).stderr).not.toMatch(missing);
    expect((await gate(folder, [...args, '--update'])).stderr).not.toMatch(missing);
    expect((await gate(folder, args)).stderr).not.toMatch(missing);
    expect((await gate(folder, args)).stdout).toMatch(
      /^ +kernel +cases +max sigmas +baseline.*\n.* same +\S+ m?s$/m,
    );
  });

  it('are not written in CI, nor where they cannot be: said before anything is run', async () => {
    const folder = await newFolder();
    const inCi = await gate(folder, ['--case', HONEST, '-u'], { CI: 'true' });
    expect(inCi).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--update writes no baselines if the environment variable CI/),
    });
    await writeFile(join(folder, 'file'), '');
    const below = await gate(folder, ['--case', HONEST, '-u', '--baselines', 'file/below']);
    expect(below).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Cannot write the report file\/below: /),
    });
    expect(below.stderr).not.toContain('On ');
  });
});

describe('a gate that is told no kernel', () => {
  it.each([
    [undefined, '--budget=quick'],
    [undefined, '--list'],
    ['export default { seed: 1 };', '--budget=quick'],
    ['export default { seed: 1 };', '--list'],
  ])('exits 2 and says what to name (config: %s, %s)', async (config, option) => {
    const folder = await newFolder();
    if (config !== undefined) await writeFile(join(folder, 'paranoia.config.mjs'), config);
    const { code, stdout, stderr } = await gate(folder, [option]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^No kernel to judge: .*matmul\.mjs#matmul.*--config.*--kernel.*--ours .*\n$/);
  });

  it('asks the config alone for kernels, with --list as without', async () => {
    const folder = await newFolder();
    await writeFile(
      join(folder, 'paranoia.config.mjs'),
      "export default { kernels: ['classical:naive'], sizes: [4] };",
    );
    const { code, stdout } = await gate(folder, ['--list']);
    expect(code).toBe(0);
    expect(stdout).toContain('kernel=classical:naive;');
  });

  it('judges our own kernels with --ours, whatever a config names', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'paranoia.config.mjs'), "export default { kernels: ['numpy:f64'] };");
    const args = ['--ours', '--list', '--size', '4', '--levels', '0', '--input', 'integers'];
    const { code, stdout } = await gate(folder, args);
    expect(code).toBe(0);
    expect(stdout).toContain('kernel=classical:naive;');
    expect(stdout).not.toContain('numpy');
  });
});

describe('a config', () => {
  it('that names what there is not exits 2 with one sentence', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'own.ts'), 'export default { inputs: ["unifrom"] };');
    const { code, stderr } = await gate(folder, ['--config', 'own.ts']);
    expect(stderr).toMatch(/^.*own\.ts: inputs\[0\]: .*Did you mean "uniform"\?.*\n$/);
    expect(code).toBe(2);
    expect(await readdir(folder)).toEqual(['own.ts']);
  });
});

itWhole('makes the corpus that is named where there is none, and says so', async () => {
  const folder = await newFolder();
  const args = [
    '--kernel',
    'classical:naive',
    '--size',
    '3',
    '--input',
    'integers',
    '--corpus',
    'some/corpus',
  ];
  const { stdout, stderr } = await gate(folder, args);
  expect(stdout + stderr).toContain('The corpus some/corpus did not exist. An empty one was created.');
  expect(await readdir(join(folder, 'some/corpus'))).toEqual([]);
});

itWhole('names a kernel with a wrong option, judges the others and ends with 2', async () => {
  const folder = await newFolder();
  const multiply =
    '(a, b, { m, k, n }) => Float32Array.from({ length: m * n }, (_, e) => { let s = 0; for (let p = 0; p < k; p++) s = Math.fround(s + Math.fround(a[Math.floor(e / n) * k + p] * b[p * n + e % n])); return s; })';
  const config = (...kernels: string[]) =>
    writeFile(
      join(folder, 'paranoia.config.mjs'),
      `const multiply = ${multiply};\nexport default { kernels: [${kernels.join()}] };`,
    );
  const wrong = '{ name: "wrong", acepts: "everything", multiply }';
  await config(wrong, '{ name: "right", multiply }');
  const { code, stdout, stderr } = await gate(folder, ['--size', '3', '--input', 'integers', '--out', 'out']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/kernels\[0\]: .*"?wrong"?.*acepts/);
  expect(stdout).toMatch(/^INCONCLUSIVE: /m);
  const results = await resultsIn(join(folder, 'out'));
  expect(results.inspections?.map(({ kernel }) => kernel)).toEqual(['right']);
  expect(results.cases.every(({ kernel, verdict }) => kernel === 'right' && verdict === 'pass')).toBe(true);
  await config(wrong);
  expect(await gate(folder, ['--size', '3'])).toMatchObject({ code: 2, stdout: '' });
});

describe('what was asked for wrongly', () => {
  itWhole.each<[string[], RegExp]>([
    [['--case', HONEST, '--size', '4'], /^--case cannot be combined with --size\. Leave one of them out\.$/],
    [['--ours', '--corpus', 'file'], /^The corpus file file cannot be used: /],
    [['--case', HONEST, '--out', 'file/below'], /^Cannot write the report file\/below: /],
  ])('%j exits 2 before anything is run, and leaves nothing behind', async (args, message) => {
    const folder = await newFolder();
    await writeFile(join(folder, 'file'), '');
    const { code, stdout, stderr } = await gate(folder, args);
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr).toMatch(/^.+\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(await readdir(folder)).toEqual(['file']);
  });
});

describe('a gate that does not finish', () => {
  itWhole('in its time exits 4', async () => {
    const folder = await newFolder();
    expect((await gate(folder, ['--kernel', 'strassen', '--time-limit', '1', ...alone])).code).toBe(4);
    expect((await resultsIn(join(folder, 'reports/local'))).summary.interrupted).toBe(true);
  });
});

it('says of a kernel that fails what failed, not how many cases a pass needs', async () => {
  const folder = await newFolder();
  await writeFile(
    join(folder, 'empty.mjs'),
    'export const mine = (a, b, { m, n }) => new Float32Array(m * n);',
  );
  const { code, stdout } = await gate(folder, ['empty.mjs#mine', '--cases', '3', '--seed', '1', ...alone]);
  expect(code).toBe(1);
  expect(stdout).toContain('3 of 3 cases failed');
  expect(stdout).not.toContain('A pass needs');
});
