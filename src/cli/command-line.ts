import { type CAC, cac } from 'cac';
import { EXIT, type ParanoiaError } from '../base/errors.ts';
import { unknownName } from '../base/messages.ts';
import { endNow, expectEnd, watchEnding } from '../base/node/ending.ts';
import { fileReason } from '../base/node/file-reason.ts';
import { maskSecrets, maskStream } from '../base/node/secrets.ts';
import { VERSION } from '../base/version.ts';
import { checkCall } from './check-call.ts';
import { commands } from './commands.ts';
import { refuseGone } from './gone.ts';
import { noCommand, outputLost } from './messages.ts';
import { expectBy, maskBy } from './no-judgement.ts';
import { parseWords } from './parse-words.ts';
import { type CommandRecord, register } from './takes.ts';
import { tell } from './tell.ts';

/** A program: its name as it is typed, and its commands. */
interface Program {
  readonly name: string;
  readonly commands: Readonly<Record<string, CommandRecord>>;
}

const PARANOIA: Program = { name: 'gemm-paranoia', commands };

/** Runs the command line of this process, to its exit code. */
export async function main(program: Program = PARANOIA): Promise<void> {
  maskStream(process.stdout);
  maskStream(process.stderr);
  maskBy(maskSecrets);
  expectBy(expectEnd);
  const lost = watchOutput();
  watchEnding();
  // What is thrown where nobody waits for it would end the process as if a claim had failed.
  process.on('uncaughtException', (error) => endNow(tell(error).exitCode));
  const code = await run(process.argv, program);
  expectEnd();
  process.exitCode = lost() ?? code;
}

function commandLine({ name: program, commands }: Program): CAC {
  const cli = cac(program);
  for (const [name, record] of Object.entries(commands)) register(cli, name, record);
  cli.option(
    '--verbose',
    'Print all results, stack traces, and what programs under test write to their standard error',
  );
  cli.help((sections) =>
    sections.map(({ body, ...section }) => ({
      ...section,
      // The parser's default of what a negation negates reads as that of the negation.
      body: body.replace(/^( +--no-.*) \(default: true\)$/gm, '$1'),
    })),
  );
  cli.version(VERSION);
  return cli;
}

/** Runs what an array of words, as `process.argv` is, says, and prints what is wrong. @returns the exit code. */
export async function run(argv: readonly string[], program: Program = PARANOIA): Promise<number> {
  try {
    refuseGone(argv.slice(2));
    const cli = commandLine(program);
    const options = parseWords(cli, argv);
    if (options.help === true || options.version === true) return EXIT.pass;
    if (cli.matchedCommand === undefined) throw unknownCommand(cli, argv[2]);
    checkCall(cli, cli.matchedCommand);
    const code: unknown = await cli.runMatchedCommand();
    return typeof code === 'number' ? code : Number(process.exitCode ?? EXIT.pass);
  } catch (error) {
    return tell(error).exitCode;
  }
}

function unknownCommand(cli: CAC, given: string | undefined): ParanoiaError {
  const known = cli.commands.map(({ name }) => name);
  if (given === undefined || given.startsWith('-')) return noCommand({ known });
  return unknownName({ what: 'command', given, known });
}

/**
 * Watches what is printed: without this, an output that takes no more ends the process as if a claim had failed, or,
 * of what goes through the console, in silence. A reader that has seen enough, as `head` has, is no error.
 * @returns the exit code that overrides a command's, once there is one.
 */
function watchOutput(): () => number | undefined {
  let code: number | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || code !== undefined) return;
    const lost = outputLost({ why: fileReason(error) }, error);
    code = lost.exitCode;
    // The news may come after the command has ended.
    process.exitCode = code;
    process.stderr.write(`${lost.message}\n`);
  });
  // Nobody is left to be told.
  process.stderr.on('error', () => undefined);
  return () => code;
}
