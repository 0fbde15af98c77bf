#!/usr/bin/env node
import { cac } from 'cac';
import { EXIT, Problem, problem } from '../problems.ts';
import { registerBench } from './bench.ts';
import { checkCall } from './check-call.ts';
import { registerDescribe } from './describe.ts';
import { registerDevices } from './devices.ts';
import { registerFuzz } from './fuzz.ts';
import { registerGate } from './gate.ts';
import { registerInspect } from './inspect.ts';
import { registerMeasure } from './measure.ts';
import { registerMerge } from './merge.ts';
import { watchOutput } from './output-errors.ts';
import { registerProbe } from './probe.ts';
import { registerReference } from './reference.ts';
import { registerReport } from './report.ts';
import { registerReproduce } from './reproduce.ts';
import { registerSelfTest } from './selftest.ts';
import { registerTune } from './tune.ts';
import { packageVersion } from './version.ts';

/** The commands, in the order the help lists them. Each action returns its exit code, or nothing for 0. */
const commands = [
  registerGate,
  registerFuzz,
  registerMerge,
  registerReport,
  registerReproduce,
  registerProbe,
  registerInspect,
  registerMeasure,
  registerDescribe,
  registerReference,
  registerSelfTest,
  registerDevices,
  registerBench,
  registerTune,
];

const cli = cac('gemm-paranoia');
for (const register of commands) register(cli);
cli.option('--verbose', 'Show stack traces, and what programs under test write to their standard error');
cli.help((sections) =>
  sections.map(({ body, ...section }) => ({
    ...section,
    // The parser's default of what a negation negates reads as that of the negation.
    body: body.replace(/^( +--no-.*) \(default: true\)$/gm, '$1'),
  })),
);
cli.version(packageVersion());

const lost = watchOutput();
// What is thrown where nobody waits for it would end the process as if a claim had failed.
process.on('uncaughtException', (error) => process.exit(tell(error)));
const code = await run(process.argv);
process.exitCode = lost() ?? code;

async function run(argv: readonly string[]): Promise<number> {
  try {
    const { options } = cli.parse(prepared(argv), { run: false });
    if (options.help === true || options.version === true) return EXIT.pass;
    if (cli.matchedCommand === undefined) throw unknownCommand(argv[2]);
    checkCall(cli, cli.matchedCommand);
    const code: unknown = await cli.runMatchedCommand();
    return typeof code === 'number' ? code : Number(process.exitCode ?? EXIT.pass);
  } catch (error) {
    return tell(error);
  }
}

/** Prints an error. @returns its exit code. */
function tell(error: unknown): number {
  const verbose = process.argv.includes('--verbose');
  process.stderr.write(`${verbose ? ((error as Error).stack ?? String(error)) : sentence(error)}\n`);
  if (verbose && error instanceof Problem && error.cause !== undefined) console.error(error.cause);
  if (error instanceof Problem) return error.exitCode;
  return EXIT.internal;
}

/**
 * Joins `--size -3` to `--size=-3`: a negative number is a value to be refused, not an option. An empty value is
 * refused here: the parser would take it for the number 0.
 */
function prepared(argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of argv) {
    const before = joined.at(-1) ?? '';
    if ((word === '' && before.startsWith('-')) || /^--[\w-]+=$/.test(word)) {
      const option = word === '' ? before : word.slice(0, -1);
      throw problem('missing-option', { option, need: 'a value that is not empty' });
    }
    const isValue = /^-\d/.test(word) && before.startsWith('--') && !before.includes('=');
    if (isValue) joined[joined.length - 1] = `${before}=${word}`;
    else joined.push(word);
  }
  return joined;
}

function unknownCommand(given: string | undefined): Problem {
  const known = cli.commands.map(({ name }) => name);
  if (given === undefined || given.startsWith('-')) return problem('no-command', { known });
  return problem('unknown-name', { what: 'command', given, known });
}

function sentence(error: unknown): string {
  if (error instanceof Problem) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return `Something in gemm-paranoia itself went wrong: ${message} (--verbose shows where).`;
}
