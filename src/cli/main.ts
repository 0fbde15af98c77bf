#!/usr/bin/env node
import { type CAC, cac } from 'cac';
import { EXIT, Problem, problem } from '../problems.ts';
import { checkCall } from './check-call.ts';
import { watchOutput } from './output-errors.ts';
import { packageVersion } from './version.ts';

/** The commands, in the order the help lists them. Each action returns its exit code, or nothing for 0. */
const commands: Readonly<Record<string, () => Promise<(cli: CAC) => void>>> = {
  gate: async () => (await import('./gate.ts')).registerGate,
  fuzz: async () => (await import('./fuzz.ts')).registerFuzz,
  merge: async () => (await import('./merge.ts')).registerMerge,
  report: async () => (await import('./report.ts')).registerReport,
  reproduce: async () => (await import('./reproduce.ts')).registerReproduce,
  probe: async () => (await import('./probe.ts')).registerProbe,
  inspect: async () => (await import('./inspect.ts')).registerInspect,
  measure: async () => (await import('./measure.ts')).registerMeasure,
  describe: async () => (await import('./describe.ts')).registerDescribe,
  reference: async () => (await import('./reference.ts')).registerReference,
  selftest: async () => (await import('./selftest.ts')).registerSelfTest,
  devices: async () => (await import('./devices.ts')).registerDevices,
  bench: async () => (await import('./bench.ts')).registerBench,
  tune: async () => (await import('./tune.ts')).registerTune,
};

const cli = cac('gemm-paranoia');
// A command that is named is loaded alone: together they take half a second.
const named = process.argv[2] ?? '';
for (const load of Object.hasOwn(commands, named) ? [commands[named]] : Object.values(commands)) {
  (await load())(cli);
}
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
