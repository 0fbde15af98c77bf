import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bash, expanded, fileOf, standIn } from '../support/workflow.ts';

const MAIN = fileOf('dist/cli/main.js');

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}
const action = parse(readFileSync(fileOf('action.yml'), 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'action-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** The outcome of a workflow step that uses the action. */
interface Job {
  readonly code: number;
  readonly log: string;
  readonly folder: string;
  readonly summary: string;
  readonly ran: readonly string[];
}

const HONEST = 'export const f = (a, b, { m, k, n }) => {\n  const c = new Float32Array(m * n);\n';
const LOOP =
  '  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) for (let p = 0; p < k; p++) c[i * n + j] += a[i * k + p] * b[p * n + j];\n';
const kernel = (returned: string) => `${HONEST}${LOOP}  return ${returned};\n};\n`;

function newFolder(returned = 'c'): string {
  const folder = mkdtempSync(join(root, 'job-'));
  writeFileSync(join(folder, 'k.mjs'), kernel(returned));
  return folder;
}

/** Runs the steps of the action in order, as a CI runner does, until one fails. */
async function use(
  folder: string,
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  event: Readonly<Record<string, string>> = {},
): Promise<Job> {
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, one]) => [name, given[name] ?? one.default]),
  );
  const known: Record<string, string> = {
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
    ...{ 'inputs.command': given.command ?? `${process.execPath} ${MAIN}`, ...event },
    'inputs.token': given.token ?? '',
  };
  const summary = join(folder, 'summary-of-step.md');
  writeFileSync(summary, '');
  let log = '';
  const ran: string[] = [];
  for (const step of action.runs.steps) {
    if (step.if !== undefined && !holds(step.if, known)) continue;
    ran.push(step.name);
    const output = join(folder, 'outputs');
    writeFileSync(output, '');
    const own = Object.fromEntries(
      Object.entries(step.env).map(([name, value]) => [name, expanded(value, known)]),
    );
    const files = { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, GITHUB_REPOSITORY: 'me/mine' };
    const { code, text } = await bash(step.run, folder, { ...files, ...own, ...env });
    log += text;
    for (const line of readFileSync(output, 'utf8').split('\n').filter(Boolean)) {
      const at = line.indexOf('=');
      known[`steps.${step.id}.outputs.${line.slice(0, at)}`] = line.slice(at + 1);
    }
    if (code !== 0) return { code, log, folder, ran, summary: readFileSync(summary, 'utf8') };
  }
  return { code: 0, log, folder, ran, summary: readFileSync(summary, 'utf8') };
}

function holds(condition: string, known: Readonly<Record<string, string>>): boolean {
  const [, name, sign, value] = /^([\w.-]+) (==|!=) '(.*)'$/.exec(condition) as RegExpExecArray;
  return ((known[name] ?? '') === value) === (sign === '==');
}

/** A fast stand-in for our program: it writes a summary, and exits with a code. */
function quick(folder: string, code: number) {
  const text = `mkdir -p reports/local\necho judged > reports/local/summary.md\nexit ${code}\n`;
  writeFileSync(join(folder, 'quick.sh'), text);
  return { command: 'sh quick.sh' };
}

/** A stand-in for `gh` that records its calls, and answers with the id of a comment if there is one. */
const fakeGh = (folder: string, answer: string) =>
  standIn(folder, 'gh', `case "$*" in *--jq*) ${answer} ;; esac`);

// Kernels of named cases are not inspected, which saves most of the time.
const ARGS = ['integers', 'uniform'].reduce(
  (args, input) => `${args} --case 'kernel=k.mjs#f;input=${input};m=4;k=4;n=4'`,
  'k.mjs#f',
);

describe.runIf(process.platform !== 'win32')('the action', () => {
  it('judges, adds to the summary, and ends as the gate does', async () => {
    const passed = await use(newFolder(), { args: ARGS });
    expect(passed).toMatchObject({ code: 0, ran: ['Judge', 'Verdict'] });
    expect(passed.summary).toContain('✅ gemm-paranoia: pass');
    const failed = await use(newFolder('c.fill(1)'), { args: ARGS, out: 'a folder' });
    expect(failed.code).toBe(1);
    expect(existsSync(join(failed.folder, 'a folder/report.html'))).toBe(true);
  });

  it('ends with what a wrong option is answered with, and compares and posts nothing', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'reports/local'), { recursive: true });
    writeFileSync(join(folder, 'reports/local/summary.md'), 'of an earlier run');
    const job = await use(folder, { args: '--kernal x', comment: 'true', baseline: 'k.mjs' });
    expect(job).toMatchObject({ code: 2, ran: ['Judge', 'Compare', 'Write the comment', 'Verdict'] });
    expect(job.log).toContain('Did you mean "--kernel"?');
    expect(job.log).toContain('::notice::No comment: this run has no verdict.');
    expect((await use(newFolder(), { args: "k.mjs#f 'open" })).code).not.toBe(0);
  });

  it('runs shards, and joins them with what changed since a baseline', async () => {
    const folder = newFolder();
    for (const shard of ['1/2', '2/2']) {
      const out = `shards/${shard[0]}`;
      expect((await use(folder, { args: ARGS, shard, out })).code).toBe(0);
    }
    await use(folder, { args: ARGS, out: 'before' });
    const job = await use(folder, {
      ...{ merge: 'shards/*/results.json', out: 'all', comment: 'true' },
      baseline: 'before/results.json',
    });
    expect(job.code).toBe(0);
    const comment = readFileSync(join(folder, 'all/comment.md'), 'utf8');
    expect(comment).toMatch(/^<!-- gemm-paranoia -->\n## gemm-paranoia: no new failure; still pass/);
    expect(comment).toContain('✅ gemm-paranoia: pass');
    expect(job.summary).toContain('no new failure');
    expect(job.log).toContain(
      'No comment posted: the token or the pull request is missing. The text is in all/comment.md.',
    );
    expect((await use(folder, { merge: 'none/*.json' })).code).toBe(2);
  });

  it('needs no baseline, and says when one cannot be read', async () => {
    const folder = newFolder();
    const none = await use(folder, { args: ARGS, baseline: 'before.json' });
    expect([none.code, none.log]).toEqual([0, expect.stringContaining('::notice::Comparison skipped: ')]);
    writeFileSync(join(folder, 'before.json'), '{"schema": ');
    const broken = await use(folder, { args: ARGS, baseline: 'before.json' });
    expect([broken.code, broken.log]).toEqual([
      0,
      expect.stringContaining('::warning::Comparison failed with exit code '),
    ]);
  });

  it.each([
    [
      'writes a comment',
      'true',
      'api repos/me/mine/issues/7/comments -F body=@reports/local/comment.md --silent',
    ],
    [
      'mends the one that is there',
      'echo 42; echo 43',
      'api repos/me/mine/issues/comments/42 -X PATCH -F body=@reports/local/comment.md --silent',
    ],
  ])('%s where it has a token and a pull request', async (_, answer, call) => {
    const folder = newFolder();
    const event = { 'github.event.pull_request.number': '7' };
    const given = { ...quick(folder, 0), comment: 'true', token: 'secret' };
    const job = await use(folder, given, fakeGh(folder, answer), event);
    expect(job.code).toBe(0);
    expect(readFileSync(join(folder, 'calls'), 'utf8').split('\n')[1]).toBe(call);
    expect(job.log).not.toContain('secret');
  });

  it('keeps its verdict where the comment cannot be written', async () => {
    const folder = newFolder();
    const event = { 'github.event.pull_request.number': '7' };
    const job = await use(
      folder,
      { ...quick(folder, 1), comment: 'true', token: 't' },
      fakeGh(folder, 'exit 1'),
      event,
    );
    expect([job.code, job.log]).toEqual([1, expect.stringContaining('::warning::Cannot post the comment')]);
  });

  it('puts nothing that anybody may choose into a script', () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
  });
});
