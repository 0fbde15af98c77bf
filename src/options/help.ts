import type { Command, Commands } from './command.ts';
import { common } from './command.ts';
import type { Option, OptionScope } from './option.ts';

/** Headings of options by scope, in their order. */
const HEADINGS: readonly (readonly [OptionScope | undefined, string])[] = [
  [undefined, 'Options'],
  ['cases', 'Cases'],
  ['named', 'Named cases'],
  ['judging', 'Judging'],
  ['run', 'Time and processes'],
  ['reports', 'Output'],
];

/** Widest column of flags; the text of a longer flag begins on the next line. */
const FLAGS = 26;
const LEAST = 60;

/** Formats the help of a command. */
export function commandHelp(program: string, name: string, record: Command, columns: number): string {
  const { what, args, options, example } = record;
  const called = `${program} ${name}`;
  const all = Object.values(options);
  const groups = HEADINGS.map(([scope, heading]) => ({
    heading,
    rows: [
      ...all.filter((option) => option.scope === scope).map(rowOf),
      ...(scope === undefined ? [...Object.values(common).map(rowOf), HELP] : []),
    ],
  }));
  // Options common to all commands come last.
  const [others, ...scoped] = groups;
  return joined([
    `${called}${args === undefined ? '' : ` ${args}`}`,
    wrapped(what, columns, '  '),
    ...[...scoped, others].filter(({ rows }) => rows.length > 0).map((group) => section(group, columns)),
    ...(example === undefined ? [] : [`Example\n${wrapped(`${called} ${example}`, columns, '  ')}`]),
  ]);
}

/** Formats the help of a program: its commands, a clause each. */
export function programHelp(program: string, commands: Commands, columns: number): string {
  const rows = Object.entries(commands).map(([name, { what }]) => [name, what] as const);
  return joined([
    `${program} <command> [options]`,
    section({ heading: 'Commands', rows }, columns),
    section({ heading: 'Options', rows: [HELP, ['-v, --version', 'Print the version']] }, columns),
    `Help for a command: ${program} gate --help`,
  ]);
}

const HELP = ['-h, --help', 'Print this help'] as const;
type Row = readonly [left: string, right: string];

/** Returns the clause of an option with its default. */
export const clauseOf = ({ what, usual }: Option): string =>
  usual === undefined ? what : `${what} (default: ${usual})`;

const rowOf = (option: Option): Row => [option.flag, clauseOf(option)];

function section({ heading, rows }: { heading: string; rows: readonly Row[] }, columns: number): string {
  const longest = Math.max(...rows.map(([left]) => left.length).filter((length) => length <= FLAGS));
  const indent = ' '.repeat(longest + 4);
  const lines = rows.map(([left, right]) => {
    const text = wrapped(right, columns, indent);
    return left.length > longest
      ? `  ${left}\n${text}`
      : `  ${left.padEnd(longest)}${text.slice(longest + 2)}`;
  });
  return [heading, ...lines].join('\n');
}

/** Wraps words into indented lines of at most so many columns. */
function wrapped(text: string, columns: number, indent: string): string {
  const width = Math.max(LEAST, columns) - indent.length;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${indent}${line}`).join('\n');
}

const joined = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`;
