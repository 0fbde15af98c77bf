import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListedItem } from '../../src/cli/list/listed-item.ts';
import type { Results } from '../../src/run/results.ts';

/**
 * The contract: an algorithm, input, precision, check and reporter that only a config defines work as ours do, in cases, verdicts, results,
 * replays, hosts and lists. A defect of one is reported in a sentence.
 */

const dist = new URL('../../dist/', import.meta.url);
const MAIN = new URL('cli/main.js', dist);
const from = (names: string, path: string) => `import { ${names} } from '${new URL(path, dist).pathname}';`;

const IMPORTS = [
  from('defineAlgorithm', 'algorithms/define-algorithm.js'),
  from('strassen', 'algorithms/strassen.js'),
  from('defineCheck', 'evidence/checks/define-check.js'),
  from('defineInput', 'inputs/define-input.js'),
  from('defineReporter', 'pages/node/reporters.js'),
  from('definePrecision', 'precision/define-precision.js'),
  from('bf16, f32', 'precision/format.js'),
  from('defineStudy', 'study/study.js'),
].join('\n');

const ITEMS = `
const { schedule: _, ...table } = strassen;
const about = 'a table of a test';
const algorithm = defineAlgorithm({ ...table, name: 'renamed', title: about, what: about, source: about });
const input = defineInput({
  name: 'steps', what: 'Steps.', catches: 'Nothing.', source: 'a test', statistics: 'structured', exactness: 'none',
  make({ m, k, n, fill }) {
    if (m === 5) throw new Error('five rows.');
    return { a: fill(m, k, (i, p) => i - p / 8), b: fill(k, n, (p, j) => p + j / 4) };
  },
});
const precision = definePrecision({ name: 'mine', what: 'as bf16-f32', stored: f32, multiplied: bf16 });
const check = defineCheck({
  name: 'few-rows', what: 'Has D few rows?', source: 'a test',
  judge({ case: { problem: { m } } }) {
    if (m === 6) throw new Error('six rows.');
    return { status: m < 10 ? 'pass' : 'fail', message: 'Rows: ' + m + '.' };
  },
});
const reporter = defineReporter({
  name: 'count', what: 'how many cases', file: 'count.txt', render: ({ cases }) => 'cases: ' + cases.length,
});
const blot = defineReporter({
  name: 'blot', what: 'nothing', file: 'blot.txt', render() { throw new Error('no ink.'); },
});
const study = defineStudy({ name: 'mine', what: 'nothing', source: 'a test', errors: { notes: [], cells: () => [] } });
const host = {
  name: 'hosted', precision: 'mine', claims: { algorithm: 'renamed', levels: 1 },
  multiply: (a, b, { m, k, n }) => Float32Array.from({ length: m * n }, (_, e) => {
    let sum = 0;
    for (let p = 0; p < k; p++) sum = Math.fround(sum + bf16.round(a[Math.floor(e / n) * k + p]) * bf16.round(b[p * n + (e % n)]));
    return sum;
  }),
};`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'any-item-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly out: string;
}

/** Runs a command as a user would, in a folder of its own with this config. */
async function run(config: string, command: string, ...args: readonly string[]): Promise<Ran> {
  const cwd = await mkdtemp(join(folder, 'run-'));
  await writeFile(join(cwd, 'paranoia.config.mjs'), `${IMPORTS}\n${ITEMS}\nexport default ${config};\n`);
  return new Promise((resolve) => {
    const all = [MAIN.pathname, command, ...args];
    const child = execFile(process.execPath, all, { cwd }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr, out: join(cwd, 'reports/local') }),
    );
  });
}

const resultsOf = async ({ out }: Ran): Promise<Results> =>
  JSON.parse(await readFile(join(out, 'results.json'), 'utf8'));

const CONFIG = `{
  adapter: 'software', algorithms: [algorithm], checks: [check], studies: [study], levels: [1], sizes: [[7, 5, 9]],
  kernels: ['renamed:register', 'renamed:naive', host], inputs: [input, 'uniform'], precisions: ['f32', precision],
  reporters: ['json', reporter],
}`;

/** Refused options, with their messages. */
const WRONG: readonly (readonly [string, RegExp])[] = [
  ['algorithms: [3]', /algorithms\[0\]: must be made with defineAlgorithm/],
  ['checks: [{ name: "x", what: "X?" }]', /checks\[0\]: The check "x" cannot be registered: judge must be/],
  [
    'checks: [check, check]',
    /checks: The check "few-rows" cannot be registered: the config has two of this name/,
  ],
  [
    'inputs: [{ name: "x", what: "X." }]',
    /inputs\[0\]: The input "x" cannot be registered: it must be made with/,
  ],
  ['inputs: [input, "stepz"]', /inputs\[1\]: Unknown input "stepz"\. Did you mean "steps"/],
  [
    'precisions: [{ name: "x" }]',
    /precisions\[0\]: The precision "x" cannot be registered: it must be made with/,
  ],
  ['kernels: ["renamed"]', /kernels\[0\]: Unknown kernel "renamed"/],
];

type Refusal = Readonly<Record<'message' | 'exitCode', unknown>>;

/** Runs a script in a folder with these configs, and returns its output as JSON. */
async function told<T>(configs: Readonly<Record<string, string>>, script: string): Promise<T> {
  const cwd = await mkdtemp(join(folder, 'told-'));
  for (const [name, config] of Object.entries(configs)) {
    await writeFile(join(cwd, name), `${IMPORTS}\n${ITEMS}\nexport default ${config};\n`);
  }
  await writeFile(join(cwd, 'tell.mjs'), `${from('optionsOf', 'config/node/options-of.js')}\n${script}`);
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['tell.mjs'], { cwd, maxBuffer: 2 ** 24 }, (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout));
      else reject(error);
    });
  });
}

/** Returns the error of each option. One process reads all configs in turn. */
function refusalsOf(options: readonly string[]): Promise<readonly Refusal[]> {
  const configs = options.map((option, at) => [
    `${at}.config.mjs`,
    `{ adapter: 'software', sizes: [3], ${option} }`,
  ]);
  return told(
    Object.fromEntries(configs),
    `const told = [];
    for (const config of ${JSON.stringify(configs.map(([name]) => name))})
      told.push(await optionsOf({ config }).then(() => ({}), ({ message, exitCode }) => ({ message, exitCode })));
    console.log(JSON.stringify(told));`,
  );
}

/** Returns the output of `list`, by kind. */
const listsOf = (config: string): Promise<Record<string, readonly ListedItem[]>> =>
  told(
    { 'paranoia.config.mjs': config },
    `${from('kinds', 'cli/list/list.js')}
    const { catalog, options: { studies } } = await optionsOf({});
    const lists = {};
    for (const [kind, load] of Object.entries(kinds)) lists[kind] = (await load())({ catalog, studies });
    console.log(JSON.stringify(lists));`,
  );

let refusals: Promise<readonly Refusal[]>;
let lists: ReturnType<typeof listsOf>;
beforeAll(() => {
  refusals = refusalsOf(WRONG.map(([option]) => option));
  lists = listsOf(CONFIG);
});

describe.concurrent('items of a config', () => {
  it('are in cases, verdicts, results and reports, in this process and in hosts', async () => {
    const ran = await run(CONFIG, 'gate');
    expect(ran).toMatchObject({ code: 0 });
    const { cases } = await resultsOf(ran);
    const seen = (key: 'kernel' | 'input' | 'precision' | 'algorithm') =>
      [...new Set(cases.map((one) => one[key]))].sort();
    expect(seen('kernel')).toEqual(['hosted', 'renamed:naive', 'renamed:register']);
    expect(seen('algorithm')).toEqual(['renamed']);
    expect(seen('input')).toEqual(['steps', 'uniform']);
    expect(seen('precision')).toEqual(['f32', 'mine']);
    for (const { checks } of cases) {
      expect(checks.at(-1)).toEqual({ name: 'few-rows', status: 'pass', message: 'Rows: 7.' });
    }
    expect(await readFile(join(ran.out, 'count.txt'), 'utf8')).toBe(`cases: ${cases.length}`);
  });

  it('are known by their names on the command line, in case texts and waivers', async () => {
    const text = 'kernel=renamed:naive;levels=1;input=steps;m=12;k=5;n=9;precision=mine';
    const waiver = `{ case: 'input=steps;precision=mine', reason: 'Known.', expires: '2999-12-31', check: 'few-rows' }`;
    const ran = await run(CONFIG.replace('{', `{ waivers: [${waiver}],`), 'gate', '--case', text);
    const { cases } = await resultsOf(ran);
    expect(cases).toMatchObject([{ verdict: 'fail', reason: 'Rows: 12.', waiver: { reason: 'Known.' } }]);
    const flags = [
      '--input',
      'steps',
      '--precision',
      'mine',
      '--kernel',
      'renamed:naive',
      '--reporter',
      'count',
    ];
    const named = await run(CONFIG, 'gate', ...flags);
    expect(named.code).toBe(0);
    expect(await readFile(join(named.out, 'count.txt'), 'utf8')).toMatch(/^cases: [1-9]/);
  });

  it('are measured, described and drawn', async () => {
    const measured = ['--algorithm', 'renamed', '--levels', '1', '--input', 'steps', '--precision', 'mine'];
    const shape = ['--size', '9x8x12', '--adapter', 'software', '--json'];
    const [measure, description, fuzz] = await Promise.all([
      run(CONFIG, 'measure', ...measured, ...shape),
      run(CONFIG, 'describe', '--algorithm', 'renamed', '--size', '24', '--json'),
      run(
        CONFIG,
        'fuzz',
        '--kernel',
        'renamed:register',
        '--input',
        'steps',
        '--runs',
        '3',
        '--max-size',
        '4',
      ),
    ]);
    expect(JSON.parse(measure.stdout)).toMatchObject({ input: 'steps', precision: 'mine' });
    expect(JSON.parse(description.stdout)).toMatchObject({ algorithm: { name: 'renamed' } });
    expect(fuzz).toMatchObject({ code: 0 });
    const drawn = (await resultsOf(fuzz)).cases;
    for (const { kernel, input } of drawn) expect([kernel, input]).toEqual(['renamed:register', 'steps']);
  });

  it.each([
    ['algorithms', { name: 'renamed', what: 'a table of a test', source: 'a table of a test' }],
    ['kernels', { name: 'renamed:fused' }],
    ['kernels', { name: 'hosted', source: 'the config' }],
    ['inputs', { name: 'steps', what: 'Steps.', source: 'a test' }],
    ['precisions', { name: 'mine', source: 'the config' }],
    ['checks', { name: 'few-rows', what: 'Has D few rows?', source: 'a test' }],
    ['reporters', { name: 'count', source: 'the config' }],
    ['studies', { name: 'mine', source: 'a test' }],
  ])('are listed among %s', async (kind, item) => {
    expect((await lists)[kind]).toContainEqual(expect.objectContaining<Partial<ListedItem>>(item));
  });

  it('that throw leave their own case inconclusive and their own file unwritten', async () => {
    const config = CONFIG.replace('[[7, 5, 9]]', '[[5, 5, 9], [6, 5, 9], [7, 5, 9]]').replace(
      "'json', reporter",
      "blot, 'json', reporter",
    );
    const ran = await run(config, 'gate', '--kernel', 'renamed:register', '--precision', 'f32');
    const { cases } = await resultsOf(ran);
    const said = (m: number, input: string) =>
      new Set(cases.filter((one) => one.m === m && one.input === input).map(({ reason }) => reason));
    expect(said(5, 'steps')).toEqual(
      new Set(['The input "steps" cannot be made for the shape 5×5×9: it throws five rows.']),
    );
    expect(said(6, 'steps')).toEqual(new Set(['The check few-rows threw an error: six rows.']));
    expect(cases.filter(({ m }) => m === 7).every(({ verdict }) => verdict === 'pass')).toBe(true);
    expect(await readFile(join(ran.out, 'count.txt'), 'utf8')).toBe(`cases: ${cases.length}`);
    expect(ran.stderr).toContain('The reporter "blot" writes no file: it throws no ink.\n');
    expect(ran.code).toBe(2);
  });

  it.each(WRONG)('that are wrong are refused in a sentence: %s', async (option, sentence) => {
    const { message, exitCode } = (await refusals)[WRONG.findIndex(([given]) => given === option)];
    expect(message).toMatch(sentence);
    expect(message).not.toContain('\n');
    expect(exitCode).toBe(2);
  });

  it('that nobody knows are refused by the gate in one line', async () => {
    const ran = await run(`{ adapter: 'software', sizes: [3], precisions: ['nime'] }`, 'gate', '--ours');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(/Unknown precision "nime".*\n$/);
  });
});
