import { parseArgs } from 'node:util';
import { unknownName } from '../../base/messages.ts';
import { lookUp } from '../../base/objects.ts';
import { type Command, type Commands, common } from '../command.ts';
import {
  conflictingOptions,
  extraArgument,
  missingArgument,
  missingOption,
  noCommand,
  optionTwice,
  vainOption,
  valueUnused,
} from '../messages.ts';
import { flagOf, givenFlag, type Option, type OptionTable } from '../option.ts';
import { readKindValue, readList } from './read.ts';

/** A call of a command. */
export interface CommandCall {
  readonly name: string;
  readonly command: Command;
  readonly values: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
}

/** A request that no command answers. */
export interface HelpRequest {
  readonly asks: 'help' | 'version';
  /** The command whose help is asked for; undefined for all of them. */
  readonly name?: string | undefined;
}

const HELP = ['-h', '--help'];
const VERSION = ['-v', '--version'];

/**
 * Reads the words of a command line.
 * @param program the name in messages.
 * @throws ParanoiaError `no-command`, `unknown-name`, `missing-option`, `option-twice`, `missing-argument`, `extra-argument`, those of
 *   values, and those of options that contradict each other
 */
export function parseCall(
  program: string,
  commands: Commands,
  words: readonly string[],
): CommandCall | HelpRequest {
  const end = words.indexOf('--');
  const asks = (end < 0 ? words : words.slice(0, end)).find((word) => [...HELP, ...VERSION].includes(word));
  const name = nameIn(commands, words);
  if (asks !== undefined && HELP.includes(asks)) return { asks: 'help', name };
  if (asks !== undefined && (name === undefined || words[0] === asks)) return { asks: 'version' };
  const command = name === undefined ? undefined : lookUp(commands, name);
  if (name === undefined || command === undefined) throw unknownCommand(commands, words);
  const { values, args } = parseWords(
    { ...command.options, ...common },
    words.slice(name.split(' ').length),
    `option of ${name}`,
  );
  if (args.length > 0 && command.args === undefined && groupOf(commands, name).length > 0)
    throw unknownCommand(commands, [name, ...args]);
  requireArguments(`${program} ${name}`, command, args);
  refuseContradictions(command.options, values);
  return { name, command, values, args };
}

/** The command that the first words name, the longest name first: `farm submit`. */
const nameIn = (commands: Commands, words: readonly string[]): string | undefined =>
  [2, 1].map((count) => words.slice(0, count).join(' ')).find((name) => lookUp(commands, name) !== undefined);

/** The commands whose names begin with a word: those of the farm. */
const groupOf = (commands: Commands, first: string): string[] =>
  Object.keys(commands).filter((name) => name.startsWith(`${first} `));

function unknownCommand(commands: Commands, [first, second]: readonly string[]) {
  const known = Object.keys(commands);
  if (first === undefined || first.startsWith('-')) return noCommand({ known });
  const group = groupOf(commands, first);
  if (group.length === 0) return unknownName({ what: 'command', given: first, known });
  if (second === undefined || second.startsWith('-')) return noCommand({ known: group });
  return unknownName({ what: 'command', given: `${first} ${second}`, known: group });
}

/**
 * Reads options and arguments.
 * @param what the name of an option in messages: `option of gate`.
 * @throws ParanoiaError `unknown-name`, `missing-option`, `option-twice`, `value-unused`, and those of values
 */
export function parseWords(
  options: OptionTable,
  words: readonly string[],
  what = 'option',
): { values: Record<string, unknown>; args: string[] } {
  const { given, args } = wordsOfOptions(options, words, what);
  const values = [...given].map(([key, { option, texts }]) => {
    if (texts.length > 1 && !option.isList)
      throw optionTwice({ option: flagOf(option), count: texts.length });
    const said = texts.flatMap((text) => text ?? []);
    return [key, readValue(option, said)] as const;
  });
  return { values: Object.fromEntries(values), args };
}

/** The value of an option. @throws ParanoiaError of its kind */
function readValue(option: Option, texts: readonly string[]): unknown {
  const name = flagOf(option);
  const { held, isList, read } = option;
  if (read !== undefined) return read(name, texts);
  if (texts.length === 0) return true;
  return isList
    ? readList(name, texts).map((item) => readKindValue(name, item, held))
    : readKindValue(name, texts[0], held);
}

/** The texts that each option is given, undefined where it stands without one; and the words that are none of them. */
function wordsOfOptions(options: OptionTable, words: readonly string[], what: string) {
  const named = namesOf(options);
  // As booleans, since the parser cannot know which words may follow which option.
  const { tokens } = parseArgs({
    args: withNegatives(words),
    ...{ strict: false, allowPositionals: true, tokens: true },
  });
  const given = new Map<string, { readonly option: Option; readonly texts: (string | undefined)[] }>();
  const args: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token.kind === 'positional') args.push(token.value);
    if (token.kind !== 'option') continue;
    const found = named.get(token.rawName);
    if (found === undefined) throw unknownName({ what, given: token.rawName, known: [...named.keys()] });
    const [key, option] = found;
    const next = tokens[at + 1];
    const follows =
      next?.kind === 'positional' && next.index === token.index + 1 && takes(option) !== undefined;
    const text = token.value ?? (follows ? next.value : undefined);
    if (token.value === undefined && follows) at++;
    checkValue(option, text);
    given.set(key, { option, texts: [...(given.get(key)?.texts ?? []), text] });
  }
  return { given, args };
}

/** `--size -3` as `--size=-3`: a negative number is a value to be refused, not an option. */
function withNegatives(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  const joined: string[] = [];
  for (const [at, word] of words.entries()) {
    const before = joined.at(-1) ?? '';
    const isValue = /^-[\d.]/.test(word) && /^--[^=]+$/.test(before) && (end < 0 || at < end);
    if (isValue) joined[joined.length - 1] = `${before}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** OptionTable by what is typed for them: `--yes` and `-y`. */
const namesOf = (options: OptionTable): Map<string, readonly [key: string, option: Option]> =>
  new Map(
    Object.entries(options).flatMap((entry) =>
      (entry[1].flag.match(/--?[a-z][\w-]*/g) ?? []).map((name) => [name, entry] as const),
    ),
  );

/** The need of an option for a value: it must have one, it may, or (undefined) it has none. */
const takes = ({ flag }: Option): 'must' | 'may' | undefined =>
  flag.includes('<') ? 'must' : flag.includes('[') ? 'may' : undefined;

function checkValue(option: Option, text: string | undefined): void {
  const name = flagOf(option);
  if (text === undefined && takes(option) === 'must')
    throw missingOption({ option: name, need: `a value: ${option.flag.replace(/^-\w, /, '')}` });
  if (text === '') throw missingOption({ option: name, need: 'a non-empty value' });
  if (text !== undefined && takes(option) === undefined) throw valueUnused({ option: name, given: text });
}

/** @throws ParanoiaError `missing-argument`, `extra-argument` */
function requireArguments(
  called: string,
  { args: spec = '', example }: Command,
  given: readonly string[],
): void {
  const known = spec.split(' ').filter((one) => one !== '');
  const missing = known.find((one, at) => one.startsWith('<') && at >= given.length);
  const shown = `${called}${spec === '' ? '' : ` ${spec}`}`;
  if (missing !== undefined)
    throw missingArgument({ argument: missing.replace(/[<>]|\.{3}/g, ''), command: shown });
  if (given.length > known.length && !spec.includes('...')) {
    const [, name] = /^\S+ (.*)$/.exec(called) as RegExpExecArray;
    throw extraArgument({
      command: name,
      given: given[known.length],
      example: example === undefined ? `${called} --help` : `${called} ${example}`,
    });
  }
}

/** True if a required option is given, with the required value if there is one: `--on gpu`. */
function isMet(options: OptionTable, values: object, required: string): boolean {
  const [flag, value] = required.split(' ');
  return Object.entries(values).some(([key, given]) => {
    const option = lookUp(options, key);
    return option !== undefined && flagOf(option) === flag && (value === undefined || given === value);
  });
}

/** The flag of untrusted kernels: some options require it, others exclude it. */
const UNTRUSTED = '--untrusted';

/**
 * Refuses options that contradict each other or depend on one that is not given.
 * @throws ParanoiaError `conflicting-options`, `vain-option`
 */
function refuseContradictions(options: OptionTable, values: object): void {
  const isGiven = (flag: string) =>
    givenFlag(options, values, (option) => flagOf(option) === flag) !== undefined;
  const given = Object.entries(options).filter(([key]) => Object.hasOwn(values, key));
  for (const [, option] of given) {
    const { requires, excludes = [] } = option;
    if (requires !== undefined && !isMet(options, values, requires))
      throw vainOption({ option: flagOf(option), without: requires });
    const other = excludes.find(isGiven);
    if (other !== undefined) throw conflictingOptions({ one: flagOf(option), other });
  }
  if (!Object.values(options).some((option) => flagOf(option) === UNTRUSTED)) return;
  const isUntrusted = isGiven(UNTRUSTED);
  const wrong = givenFlag(options, values, (option) => option.untrusted === (isUntrusted ? 'never' : 'only'));
  if (wrong === undefined) return;
  if (isUntrusted) throw conflictingOptions({ one: UNTRUSTED, other: wrong });
  throw vainOption({ option: wrong, without: UNTRUSTED });
}
