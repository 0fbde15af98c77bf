#!/usr/bin/env node
import { cac } from 'cac';
import { EXIT, Problem, problem } from '../problems.ts';
import { registerBench } from './bench.ts';
import { registerDescribe } from './describe.ts';
import { registerDevices } from './devices.ts';
import { registerFuzz } from './fuzz.ts';
import { registerGate } from './gate.ts';
import { registerMeasure } from './measure.ts';
import { registerMerge } from './merge.ts';
import { registerProbe } from './probe.ts';
import { registerReference } from './reference.ts';
import { registerReport } from './report.ts';
import { registerReproduce } from './reproduce.ts';
import { registerSelfTest } from './selftest.ts';
import { packageVersion } from './version.ts';

/** The commands, in the order the help lists them. Each action returns its exit code, or nothing for 0. */
const commands = [
  registerGate,
  registerFuzz,
  registerMerge,
  registerReport,
  registerReproduce,
  registerProbe,
  registerMeasure,
  registerDescribe,
  registerReference,
  registerSelfTest,
  registerDevices,
  registerBench,
];

const cli = cac('gemm-paranoia');
for (const register of commands) register(cli);
cli.option('--verbose', 'Show stack traces');
cli.help();
cli.version(packageVersion());

process.exitCode = await run(process.argv);

async function run(argv: readonly string[]): Promise<number> {
  const verbose = argv.includes('--verbose');
  try {
    const { options } = cli.parse(prepared(argv), { run: false });
    if (options.help === true || options.version === true) return EXIT.pass;
    if (cli.matchedCommand === undefined) throw unknownCommand(argv[2]);
    refuseUnknownOptions(options);
    const code: unknown = await cli.runMatchedCommand();
    return typeof code === 'number' ? code : Number(process.exitCode ?? EXIT.pass);
  } catch (error) {
    process.stderr.write(`${verbose ? ((error as Error).stack ?? String(error)) : sentence(error)}\n`);
    if (verbose && error instanceof Problem && error.cause !== undefined) console.error(error.cause);
    if (error instanceof Problem) return error.exitCode;
    return (error as Error).name === 'CACError' ? EXIT.usage : EXIT.inconclusive;
  }
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

/** Names the nearest option where one is misspelt. */
function refuseUnknownOptions(options: Readonly<Record<string, unknown>>): void {
  const names = [...(cli.matchedCommand?.options ?? []), ...cli.globalCommand.options].flatMap(
    ({ names }) => names,
  );
  const unknown = Object.keys(options).find((name) => name !== '--' && !names.includes(name));
  if (unknown === undefined) return;
  const dash = (name: string) => {
    const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return dashed.length === 1 ? `-${dashed}` : `--${dashed}`;
  };
  throw problem('unknown-name', {
    what: 'option',
    given: dash(unknown),
    known: [...new Set(names.map(dash))],
  });
}

function sentence(error: unknown): string {
  if (error instanceof Problem) return error.message;
  const { message, name } = error as Error;
  if (name === 'CACError') return `${message[0].toUpperCase()}${message.slice(1)}.`;
  return `Something in gemm-paranoia itself went wrong: ${message ?? String(error)} (--verbose shows where).`;
}
