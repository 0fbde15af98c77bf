import { EXIT } from '../../base/errors.ts';
import type { Commands } from '../../options/command.ts';
import { completionScript, shells } from '../../options/completion.ts';
import { readChoice } from '../../options/read.ts';
import type { Output } from '../product/reference.ts';

/** Prints the script of a shell. @returns the exit code. @throws ParanoiaError `unknown-name` */
export async function runCompletion(shell: string, commands: Commands, output: Output): Promise<number> {
  output.write(completionScript(readChoice('<shell>', shell, shells), 'gemm-paranoia', commands));
  return EXIT.pass;
}
