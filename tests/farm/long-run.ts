import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { installed, resultsIn, startBroker, versionOf, workplace } from './commands.ts';
import { stubProject } from './project.ts';

/**
 * Measures the cost of a farm. A campaign of stub cases runs on bare processes, a shard each, and on as many workers of a farm with a
 * broker. The script compares processor times and verdicts. It takes some minutes for each 10,000 cases:
 *
 *   npx jiti tests/farm/long-run.ts --cases 100000 --processes 2 --out reports/farm/stub
 */
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    processes: { type: 'string', default: '2' },
    out: { type: 'string' },
    gate: { type: 'boolean', default: false },
  },
});
const count = Number(values.processes);
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const { folder, remove } = workplace('long-run');

interface Timed {
  /** Processor seconds of a command and all that it started. */
  readonly processor: number;
  readonly wall: number;
}

/** Runs a command; the shell adds up the processor time of it and its children. */
function timed(...args: readonly string[]): Promise<Timed> {
  return new Promise((done, fail) => {
    const line = `TIMEFORMAT='%U %S %R'; time "$@" >>"$0.log" 2>&1`;
    const words = [
      '-c',
      line,
      join(folder, args.slice(0, 2).join('-').replaceAll('/', '-')),
      process.execPath,
      MAIN,
      ...args,
    ];
    const child = spawn('bash', words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let told = '';
    child.stderr.on('data', (bytes: Buffer) => {
      told += bytes;
    });
    child.on('close', () => {
      const [user, system, wall] = told.trim().split(' ').map(Number);
      if (Number.isFinite(wall)) done({ processor: user + system, wall });
      else fail(new Error(`${args.join(' ')}: ${told}`));
    });
  });
}

const together = (all: readonly Timed[]): Timed => ({
  processor: all.reduce((sum, { processor }) => sum + processor, 0),
  wall: Math.max(...all.map(({ wall }) => wall)),
});
const each = (run: (index: number) => Promise<Timed>) =>
  Promise.all(Array.from({ length: count }, (_, at) => run(at + 1))).then(together);

const program = installed('redis-server') ?? installed('valkey-server');
if (program === undefined) throw new Error('Neither redis-server nor valkey-server is installed.');
if (!values.gate) stubProject(folder, Number(values.cases));
const broker = await startBroker(program, folder);
try {
  const what = values.gate ? ['--ours', '--adapter', 'software', '--seed', '1'] : [];
  const bare = await each((at) =>
    timed(
      'gate',
      ...what,
      '--jobs',
      '1',
      '--shard',
      `${at}/${count}`,
      '--reporter',
      'json',
      '--out',
      `bare-${at}`,
    ),
  );
  const shards = Array.from({ length: count }, (_, at) => `bare-${at + 1}/results.json`);
  await timed('merge', ...shards, '--reporter', 'json', '--out', 'bare');
  const queue = ['--store', 'store', '--queue', broker.url];
  const submit = timed('farm', 'submit', ...what, ...queue);
  const device = values.gate ? ['--adapter', 'software'] : [];
  const workers = await each(() => timed('farm', 'work', ...device, ...queue));
  const farm = { ...workers, submit: await submit };
  const collect = await timed('farm', 'collect', '--store', 'store', '--reporter', 'json', '--out', 'farm');
  const [one, other] = ['bare', 'farm'].map((name) => resultsIn(join(folder, name)));
  const known = new Map(other.cases.map((result) => [result.case, result]));
  // Results of kernels that add in no fixed order differ from run to run.
  const differing = one.cases.filter((result) => !isDeepStrictEqual(result, known.get(result.case)));
  const parts = ['verdict', 'reason', 'summary', 'groups', 'growth'] as const;
  const report = {
    ...{ cases: one.cases.length, processes: count, verdict: one.verdict, node: process.version },
    ...{ broker: await versionOf(program), adapter: one.adapter.id, date: new Date().toISOString() },
    ...{ bare, farm, collect },
    batches: readdirSync(join(folder, 'store')).filter((name) => /^[0-9a-f]{64}\./.test(name)).length,
    overhead: (farm.processor + farm.submit.processor) / bare.processor - 1,
    overheadOfWorkers: farm.processor / bare.processor - 1,
    differingParts: parts.filter((part) => !isDeepStrictEqual(one[part], other[part])),
    differingCases: differing.map((result) => result.case),
  };
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  if (values.out !== undefined) {
    mkdirSync(resolve(values.out), { recursive: true });
    writeFileSync(join(values.out, 'farm.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  }
} finally {
  await broker.kill();
  remove();
}
