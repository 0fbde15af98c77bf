import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../src/base/errors.ts';
import { readNumber } from '../../src/options/node/read.ts';
import { installed, versionOf } from '../../tests/farm/commands.ts';
import { makeFarmReport } from './report.ts';
import { type RecordedSimulations, simulate } from './simulate.ts';

const LEASE = 60;
const FOLDER = fileURLToPath(new URL('../../reports/farm', import.meta.url));
const [DATA, PAGE] = ['simulation.json', 'simulation.md'].map((name) => join(FOLDER, name));

/** Simulates a farm, and adds it to the recorded ones, by machines and cases. */
async function add(machines: number, cases: number, compression: number): Promise<void> {
  const program = installed('redis-server') ?? installed('valkey-server');
  if (program === undefined)
    throw new Error('The simulation needs redis-server or valkey-server. Install one.');
  const folder = mkdtempSync(join(tmpdir(), 'farm-simulation-'));
  const found = await simulate({ program, folder, machines, cases, compression, lease: LEASE });
  rmSync(folder, { recursive: true });
  const known = existsSync(DATA) ? (JSON.parse(readFileSync(DATA, 'utf8')) as RecordedSimulations).farms : [];
  const others = known.filter((one) => one.machines !== machines || one.cases !== cases);
  const date = new Date().toISOString().slice(0, 10);
  const farms = [...others, { ...found, date }].sort((x, y) => x.machines - y.machines || x.cases - y.cases);
  mkdirSync(FOLDER, { recursive: true });
  const machine = `${cpus().length} cores of ${cpus()[0].model.trim()}, Node ${process.versions.node}`;
  const all: RecordedSimulations = { broker: await versionOf(program), machine, farms };
  writeFileSync(DATA, `${JSON.stringify(all, null, 2)}\n`);
}

const NUMBERS = { least: 1, most: 1e9, whole: true, need: 'a whole number from 1 to 1000000000' };

/**
 * Simulates a farm if numbers are given, and writes the page of all recorded farms.
 * @param given the numbers of machines and cases, and the time compression; or empty
 * @throws ParanoiaError `bad-number`
 */
export async function runFarm(given: readonly string[]): Promise<never> {
  const [machines, cases, compression] = given.map((one, at) =>
    one === undefined && given[0] === undefined
      ? 0
      : readNumber(['machines', 'cases', 'compression'][at], one ?? '', NUMBERS),
  );
  if (machines > 0) await add(machines, cases, compression);
  writeFileSync(PAGE, makeFarmReport(JSON.parse(readFileSync(DATA, 'utf8'))));
  process.stdout.write(`Wrote ${PAGE}\n`);
  // Connections of machines that died are left open on purpose.
  process.exit(EXIT.pass);
}
