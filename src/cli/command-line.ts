import { EXIT } from '../base/errors.ts';
import { endNow, expectEnd, watchEnding } from '../base/node/ending.ts';
import { fileReason } from '../base/node/read-file.ts';
import { maskSecrets, maskStream } from '../base/node/secrets.ts';
import { lookUp } from '../base/objects.ts';
import { VERSION } from '../base/version.ts';
import type { Commands } from '../options/command.ts';
import { commandHelp, programHelp } from '../options/help.ts';
import { parseCall } from '../options/node/parse.ts';
import { commands } from './commands.ts';
import { goneWord, outputLost } from './messages.ts';
import { setEndAnnouncer, setMask } from './no-judgment.ts';
import { printError } from './tell.ts';

/** A program: its name as typed, and its commands. */
interface Program {
  readonly name: string;
  readonly commands: Commands;
}

const PARANOIA: Program = { name: 'gemm-paranoia', commands };

/** Runs the command line of this process, and sets the exit code. */
export async function main(program: Program = PARANOIA): Promise<void> {
  maskStream(process.stdout);
  maskStream(process.stderr);
  setMask(maskSecrets);
  setEndAnnouncer(expectEnd);
  const lost = watchOutput();
  watchEnding();
  // By default an uncaught error would exit with 1, the code of a failed gate.
  process.on('uncaughtException', (error) => endNow(printError(error).exitCode));
  const code = await runCommandLine(process.argv, program);
  expectEnd();
  process.exitCode = lost() ?? code;
}

/** Runs the command in an array of words such as `process.argv`, and prints its error. @returns the exit code */
export async function runCommandLine(
  argv: readonly string[],
  { name: program, commands }: Program = PARANOIA,
): Promise<number> {
  try {
    const words = argv.slice(2);
    refuseRemovedWords(words);
    const call = parseCall(program, commands, words);
    if ('asks' in call) {
      process.stdout.write(
        call.asks === 'version' ? versionText(program) : helpOf(program, commands, call.name),
      );
      return EXIT.pass;
    }
    const code: unknown = await call.command.run(call.values, call.args);
    return typeof code === 'number' ? code : Number(process.exitCode ?? EXIT.pass);
  } catch (error) {
    return printError(error).exitCode;
  }
}

const versionText = (program: string): string =>
  `${program}/${VERSION} ${process.platform}-${process.arch} node-${process.version}\n`;

function helpOf(program: string, commands: Commands, name: string | undefined): string {
  const columns = process.stdout.columns ?? (Number(process.env.COLUMNS) || USUAL_COLUMNS);
  const command = name === undefined ? undefined : lookUp(commands, name);
  return name === undefined || command === undefined
    ? programHelp(program, commands, columns)
    : commandHelp(program, name, command, columns);
}

/** The width of help, in columns, if the output is no terminal. */
const USUAL_COLUMNS = 100;

/**
 * Watches errors of the standard output. By default a failed write would exit with 1, the code of a failed gate, or go unnoticed
 * in writes through the console. A reader that closes the pipe early, as `head` does, is no error.
 * @returns a function that returns the exit code to use instead of the command's, if there is one
 */
function watchOutput(): () => number | undefined {
  let code: number | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || code !== undefined) return;
    const lost = outputLost({ why: fileReason(error) }, error);
    code = lost.exitCode;
    // The error may arrive after the command has ended.
    process.exitCode = code;
    process.stderr.write(`${lost.message}\n`);
  });
  // There is no stream left to report to.
  process.stderr.on('error', () => undefined);
  return () => code;
}

const inLab = (name: string) =>
  `moved to the laboratory. Run \`npm run lab -- ${name}\` in a checkout of the repository`;

/** Removed commands and options in alphabetical order, and their replacements, as the end of a sentence. */
export const gone: Readonly<Record<string, string>> = {
  'bench graders': inLab('graders'),
  'atlas add --key': 'was removed because entries are not signed. Leave it out',
  'atlas add --seed': 'was removed because no case is computed again. Leave it out',
  'atlas add --spot': 'was removed because no case is computed again. Leave it out',
  'atlas check': 'was removed. `atlas build` checks the schema and the hash of entries',
  'atlas key': 'was removed because entries are not signed',
  'bench study': 'was renamed. Use `study <name> --only speeds`',
  'report catalogue': inLab('catalogue'),
  'describe --shape': 'was renamed. Use --size mxkxn',
  'farm gateway': 'was removed. Use `farm submit` and `farm work` on trusted machines',
  'farm work --gateway': 'was removed. Give --store and --queue, on trusted machines',
  'measure --shape': 'was renamed. Use --size mxkxn',
  reproduce: 'was renamed. Use `study <name> --only errors`',
  'selftest --history': inLab('history'),
  'selftest --honest': inLab('honest'),
  'selftest --power': inLab('power'),
};

/** Refuses removed words, if their options are among those of the call. @throws ParanoiaError `gone-word` */
export function refuseRemovedWords(words: readonly string[]): void {
  const end = words.indexOf('--');
  const given = end < 0 ? words : words.slice(0, end);
  const options = new Set(given.filter(isOption).map((word) => word.replace(/=.*/s, '')));
  const plain = given.filter((word) => !isOption(word));
  for (const [word, became] of Object.entries(gone)) {
    const parts = word.split(' ');
    const command = parts.filter((part) => !isOption(part));
    const isGiven =
      command.every((part, at) => plain[at] === part) &&
      parts.filter(isOption).every((part) => options.has(part));
    if (isGiven) throw goneWord({ word, became });
  }
}

const isOption = (word: string): boolean => word.startsWith('-');
