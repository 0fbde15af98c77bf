import type { CAC } from 'cac';
import { missingOption } from '../config/messages.ts';

/** No argument of a process can hold it. */
const MARK = '\0';

/**
 * Parses a command line, of which every value stays the text that was typed: the parser by itself makes numbers of whatever
 * looks like one, of the folder `1.10` the folder `1.1`.
 * @throws ParanoiaError `missing-option` for an empty value
 */
export function parseWords(cli: CAC, argv: readonly string[]): CAC['options'] {
  const words = prepared(argv);
  const end = words.indexOf('--');
  const known = words.map((word, at) => (end < 0 || at < end ? joined(word) : word));
  const { options } = cli.parse(known.map(marked), { run: false });
  const typed = Object.entries(options).map(([name, value]) => [name, unmarked(value)]);
  Object.assign(options, Object.fromEntries(typed));
  cli.args = cli.args.map((word) => unmarked(word) as string);
  return options;
}

/**
 * `--allow-mixed` as `--allowMixed`, as which the parser knows it: of an option in hyphens that takes no value it takes the next word
 * for one.
 */
function joined(word: string): string {
  const [, head, name, rest] = /^(--(?:no-)?)([a-z][a-z-]*)(.*)$/s.exec(word) ?? [];
  if (name === undefined) return word;
  return `${head}${name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())}${rest}`;
}

/** What the parser would take for a number, as a text that it takes for none. */
function marked(word: string): string {
  const value = /^--?[^=]+=(?<value>.*)$/s.exec(word)?.groups?.value ?? word;
  return Number.isFinite(Number(value)) ? `${word}${MARK}` : word;
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  return typeof value === 'string' ? value.replaceAll(MARK, '') : value;
}

/**
 * Joins `--size -3` to `--size=-3`: a negative number is a value to be refused, not an option. An empty value is
 * refused here: the parser would take it for an option without one.
 */
function prepared(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (const word of argv) {
    const before = words.at(-1) ?? '';
    if ((word === '' && before.startsWith('-')) || /^--[\w-]+=$/.test(word)) {
      const option = word === '' ? before : word.slice(0, -1);
      throw missingOption({ option, need: 'a value that is not empty' });
    }
    const isValue = /^-[\d.]/.test(word) && before.startsWith('--') && !before.includes('=');
    if (isValue) words[words.length - 1] = `${before}=${word}`;
    else words.push(word);
  }
  return words;
}
