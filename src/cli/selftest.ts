import type { CAC } from 'cac';
import { parseList, parseNumber, parseText } from '../config/flags.ts';
import { ranges } from '../config/ranges.ts';
import { Laboratory } from '../gate/evidence.ts';
import { type FaultOutcome, selfTest } from '../gate/self-test.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { compareBinary64 } from '../gpu/numerics/compare-f64.ts';
import { faults, findFault } from '../kernel/faults/faults.ts';
import { EXIT, problem } from '../problems.ts';
import { exactProduct } from '../reference/exact.ts';

/** Adds the command `selftest` to the command line. */
export function registerSelfTest(cli: CAC): void {
  cli
    .command('selftest', 'Plant faults in our own kernels and see the gate fail each of them')
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option('--fault <names>', `Only these (default: all ${faults.length})`)
    .option(
      '--binary64 <n>',
      'Instead, compare binary64 on the device with this engine on n random triples of bit patterns',
    )
    .option('--seed <n>', 'Of those patterns (default: 1)')
    .option('--json', 'Print JSON')
    .action(runSelfTest);
}

interface Flags {
  readonly adapter?: string;
  readonly fault?: string;
  readonly binary64?: string;
  readonly seed?: string;
  readonly json?: boolean;
}

async function runSelfTest(flags: Flags): Promise<number> {
  const { adapter: wanted, fault, json } = flags;
  if (flags.binary64 !== undefined) return compareOnDevice(flags);
  const adapter = wanted === undefined ? undefined : parseText('--adapter', wanted);
  const planted = fault === undefined ? faults : parseList('--fault', fault).map(findFault);
  const open = await openNodeDevice({ adapter });
  const print = json === true ? () => {} : (outcome: FaultOutcome) => console.log(describeOutcome(outcome));
  if (json !== true) console.log(`On ${open.fingerprint.name}: ${planted.length} planted faults.\n`);
  const outcomes = await selfTest(open, new Laboratory(exactProduct), print, planted);
  open.close();
  const killed = outcomes.filter(({ failed }) => failed !== undefined).length;
  const pointed = outcomes.filter((outcome) => outcome.pointed).length;
  if (json === true) console.log(JSON.stringify(outcomes.map(asJson), undefined, 2));
  else {
    console.log(
      `${killed} of ${outcomes.length} faults failed the gate; ${pointed} messages point at the cause.`,
    );
  }
  return killed === outcomes.length && pointed === killed ? EXIT.pass : EXIT.fail;
}

async function compareOnDevice({ adapter: wanted, fault, binary64, seed, json }: Flags): Promise<number> {
  if (fault !== undefined) throw problem('conflicting-options', { one: '--binary64', other: '--fault' });
  const random = parseNumber('--binary64', binary64, ranges.patterns);
  const options = { random, seed: seed === undefined ? 1 : parseNumber('--seed', seed, ranges.seed) };
  const adapter = wanted === undefined ? undefined : parseText('--adapter', wanted);
  const open = await openNodeDevice({ adapter });
  const { compared, mismatches, first } = await compareBinary64(open, options);
  open.close();
  const { name } = open.fingerprint;
  if (json === true)
    console.log(JSON.stringify({ adapter: name, compared, mismatches, first }, undefined, 2));
  else {
    console.log(`On ${name}: ${compared} results of binary64 sums, products and multiply-adds compared.`);
    console.log(mismatches === 0 ? 'All have the same bits.' : `${mismatches} differ; the first: ${first}`);
  }
  return mismatches === 0 ? EXIT.pass : EXIT.fail;
}

function describeOutcome({ fault, failed, run, pointed }: FaultOutcome): string {
  const verdict = failed === undefined ? 'MISSED' : `failed at case ${run}`;
  const lines = [`${fault.name} (${fault.kernel}): ${fault.what}`, `  ${verdict}`];
  if (failed !== undefined) {
    lines.push(`  ${failed.reason}`, `  ${failed.replay}`);
    if (!pointed) lines.push('  The message does not point at the cause.');
  }
  return `${lines.join('\n')}\n`;
}

function asJson({ fault, failed, run, pointed }: FaultOutcome) {
  const { name, what, kernel } = fault;
  return {
    name,
    what,
    kernel,
    killed: failed !== undefined,
    pointed,
    run,
    case: failed?.case,
    reason: failed?.reason,
  };
}
