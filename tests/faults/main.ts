import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOf, straysOf } from './check.ts';
import { conditions } from './conditions.ts';
import { type Fault, faultsIn, idOf } from './faults.ts';
import { type Golden, prepare } from './golden.ts';
import { conditionId, runCondition } from './run-condition.ts';
import { scenarios } from './scenarios.ts';
import { type Counted, type Found, factsOf, tableOf } from './table.ts';
import { openWorkspace } from './workspace.ts';

const { values } = parseArgs({
  options: {
    /** The beginning of names of faults to run: scenario/kind/role/step/effect. */
    only: { type: 'string', multiple: true, default: [''] },
    jobs: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    /** The most faults of every kind in a scenario and role. @defaultValue as the records of kinds say */
    most: { type: 'string' },
    /** A file that gets a line for each run; runs in it are not repeated. */
    state: { type: 'string' },
    /** True to inject no fault, and make the table from the state. */
    known: { type: 'boolean', default: false },
    /** The folder of the table. */
    out: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

const lines: (Found | Counted)[] =
  values.state !== undefined && existsSync(values.state)
    ? readFileSync(values.state, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
const known = lines.filter((line): line is Found => 'id' in line);
const counted = lines.filter((line): line is Counted => 'possible' in line);
const isAsked = (id: string) => values.only.some((start) => id.startsWith(start) || start.startsWith(id));
const cacheRoom = openWorkspace();
const cache = join(cacheRoom.root, 'cache');

try {
  await runAll();
} finally {
  cacheRoom.remove();
}

async function runAll(): Promise<void> {
  const all = known.filter(({ id }) => isAsked(id));
  const done = new Set(all.map(({ id }) => id));
  const asked = values.known ? [] : scenarios.filter(({ name }) => isAsked(`${name}/`));
  for (const scenario of asked) {
    const golden = await prepare(scenario, cache);
    const { faults, possible } = await faultsIn(golden, {
      most: values.most === undefined ? undefined : Number(values.most),
      seed: Number(values.seed),
      isAsked,
    });
    counted.push({ possible, adapter: golden.adapter });
    note({ possible, adapter: golden.adapter });
    let next = 0;
    const work = async () => {
      while (next < faults.length) {
        const fault = faults[next++];
        if (!done.has(idOf(fault))) all.push(await injected(golden, fault));
      }
    };
    await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  }
  const around = values.known ? [] : conditions.filter(({ name }) => isAsked(conditionId(name)));
  for (const condition of around) {
    if (condition.mounts === true && process.getuid?.() !== 0) {
      process.stdout.write(`left out, since only root mounts file systems: ${conditionId(condition.name)}\n`);
      continue;
    }
    if (!done.has(conditionId(condition.name))) all.push(kept(await runCondition(condition)));
  }
  const text = `${factsOf(all, counted)}\n${tableOf(all)}`;
  process.stdout.write(`\n${text}`);
  if (values.out !== undefined) {
    mkdirSync(values.out, { recursive: true });
    writeFileSync(join(values.out, 'table.md'), text);
  }
  process.exitCode = all.some(({ wrong }) => wrong.length > 0) ? 1 : 0;
}

/** Runs a scenario with a fault, and again if it was killed and has left files. */
async function injected(golden: Golden, fault: Fault): Promise<Found> {
  const id = idOf(fault);
  const record = await golden.run(fault, async (ran, files, again): Promise<Found> => {
    const [step = ''] = ran.steps;
    const wrong = step === '' ? [] : faultsOf({ golden, ran, files, injected: { ...fault, step } });
    const strays = ran.signal === 'SIGKILL' ? straysOf({ golden, files, ran }) : [];
    const tail = `${ran.stdout}\n${ran.stderr}`.trim().split('\n').slice(-4);
    const base = { id, step, code: ran.code, signal: ran.signal, tail };
    if (ran.signal !== 'SIGKILL' || golden.scenario.name === 'init') return { ...base, wrong, strays };
    const next = await again();
    const isSame = next.ran.code === golden.code;
    const kept = straysOf({ golden, ...next });
    return {
      ...{ ...base, strays, kept },
      wrong: isSame
        ? wrong
        : [...wrong, `the next run ends with ${next.ran.code}: ${next.ran.stderr.trim().split('\n').at(-1)}`],
    };
  });
  return kept(record);
}

/** Records the outcome of a run, and prints it if it is wrong. */
function kept(record: Found): Found {
  note(record);
  if (record.wrong.length > 0 || values.verbose) tell(record);
  return record;
}

function note(line: Found | Counted): void {
  if (values.state === undefined) return;
  mkdirSync(dirname(values.state), { recursive: true });
  appendFileSync(values.state, `${JSON.stringify(line)}\n`);
}

function tell({ id, step, code, signal, wrong, tail }: Found): void {
  const what = wrong.length === 0 ? 'right' : 'WRONG';
  process.stdout.write(
    [
      `${what} ${id} (${step}): exit ${signal ?? code}`,
      ...wrong.map((why) => `  ${why}`),
      ...(wrong.length === 0 ? [] : tail.map((line) => `  | ${line.slice(0, 160)}`)),
      ...(wrong.length === 0 ? [] : [`  again: npm run faults -- --only ${id}`]),
      '',
    ].join('\n'),
  );
}
