import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { initUnanswered } from '../messages.ts';

/** The terminal on which questions are asked. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}

/** A question with a few answers, by their names. */
export interface PromptChoice<T extends string> {
  readonly question: string;
  /** Descriptions of the answers, by name. */
  readonly answers: Readonly<Record<T, string>>;
  /** The answer that an empty line stands for. */
  readonly usual: T;
}

/**
 * Asks questions in turn, each until it is answered by a number or a name.
 * @throws ParanoiaError `init-unanswered` where the input ends, or Ctrl-C is pressed
 */
export async function askAll(
  { stdin: input, stdout: output }: Terminal,
  choices: readonly PromptChoice<string>[],
): Promise<string[]> {
  const lines = createInterface({ input, output, terminal: output.isTTY === true });
  const gone = new AbortController();
  lines.once('close', () => gone.abort());
  lines.once('SIGINT', () => lines.close());
  try {
    const given: string[] = [];
    for (const choice of choices) {
      output.write(`${listed(choice)}\n`);
      let answer: string | undefined;
      while (answer === undefined) {
        const line = await lines.question(`Number or name (default: ${choice.usual}): `, {
          signal: gone.signal,
        });
        answer = answerIn(line.trim().toLowerCase(), choice);
      }
      given.push(answer);
    }
    return given;
  } catch (error) {
    if (gone.signal.aborted) throw initUnanswered(undefined, error);
    throw error;
  } finally {
    lines.close();
  }
}

function listed({ question, answers }: PromptChoice<string>): string {
  const names = Object.entries(answers).map(([name, what], at) => `  ${at + 1}  ${name.padEnd(10)}  ${what}`);
  return ['', question, ...names].join('\n');
}

function answerIn(line: string, { answers, usual }: PromptChoice<string>): string | undefined {
  const names = Object.keys(answers);
  if (line === '') return usual;
  return names.find((name) => name === line) ?? names[Number(line) - 1];
}
