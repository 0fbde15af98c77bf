import type { Commands } from '../command.ts';
import { common } from '../command.ts';
import { clauseOf } from '../help.ts';
import { type Option, quoteForShell } from '../option.ts';
import { readChoice } from './read.ts';

/** Shells that can complete words of a command line. */
const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** A completion, with its help. */
interface Word {
  readonly word: string;
  readonly what: string;
}

/** Completions of a command by position: options, values of options that have names, and files elsewhere. */
interface CommandWords {
  readonly name: string;
  readonly what: string;
  readonly options: readonly (Word & { readonly values: readonly string[] | undefined })[];
}

function wordsOf(commands: Commands): CommandWords[] {
  return Object.entries(commands).map(([name, { what, options }]) => ({
    ...{ name, what },
    options: [...Object.values<Option>(options), ...Object.values<Option>(common)].flatMap((option) =>
      (option.flag.match(/--?[a-z][\w-]*/g) ?? []).map((word) => ({
        ...{ word, what: clauseOf(option) },
        values: option.flag.includes('<') ? (option.held.names ?? []) : undefined,
      })),
    ),
  }));
}

/** Returns the script by which a shell completes the words of a program. @throws ParanoiaError `unknown-name` */
export const completionOf = (shell: string, program: string, commands: Commands): string =>
  scripts[readChoice('<shell>', shell, shells)](program, wordsOf(commands));

const scripts: Readonly<Record<Shell, (program: string, commands: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const functionName = (program: string) => `_${program.replace(/\W/g, '_')}`;

/** First words of commands, and second words of a group such as `farm`. */
const firstWords = (commands: readonly CommandWords[]) => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0])),
];
const groupsOf = (commands: readonly CommandWords[]): [string, string[]][] =>
  firstWords(commands).flatMap((first): [string, string[]][] => {
    const second = commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.split(' ')[1]] : []));
    return second.length === 0 ? [] : [[first, second]];
  });

function bashScript(program: string, commands: readonly CommandWords[]): string {
  const name = functionName(program);
  const options = commands.map(
    ({ name: command, options: own }) =>
      `    ${quoteForShell(command)}) words=${quoteForShell(own.map(({ word }) => word).join(' '))} ;;`,
  );
  const values = commands.flatMap(({ name: command, options: own }) =>
    own.flatMap(({ word, values }) => {
      if (values === undefined) return [];
      const found = values.length === 0 ? 'files=1' : `words=${quoteForShell(values.join(' '))}`;
      return [`    ${quoteForShell(`${command} ${word}`)}) ${found}; only=1 ;;`];
    }),
  );
  const groups = groupsOf(commands).map(
    ([first, second]) => `    ${first}) second=${quoteForShell(second.join(' '))} ;;`,
  );
  return `${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local first="\${COMP_WORDS[1]}" command words='' second='' files='' only=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoteForShell(firstWords(commands).join(' '))} -- "$current"))
    return
  fi
  case "$first" in
${groups.join('\n')}
  esac
  command="$first"
  if [ -n "$second" ] && [[ " $second " == *" \${COMP_WORDS[2]} "* ]] && [ "$COMP_CWORD" -gt 2 ]; then
    command="$first \${COMP_WORDS[2]}"
  elif [ -n "$second" ] && [ "$COMP_CWORD" -eq 2 ] && [[ "$current" != -* ]]; then
    COMPREPLY=($(compgen -W "$second" -- "$current"))
    return
  fi
  case "$command $previous" in
${values.join('\n')}
  esac
  if [ -z "$only" ]; then
    case "$command" in
${options.join('\n')}
    esac
    [[ "$current" == -* ]] || { words=''; files=1; }
  fi
  if [ -n "$files" ]; then COMPREPLY=($(compgen -f -- "$current")); else COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}
complete -o filenames -F ${name} ${program}
`;
}

function zshScript(program: string, commands: readonly CommandWords[]): string {
  const name = functionName(program);
  const described = ({ word, what }: Word) => quoteForShell(`${word}:${what.replaceAll(':', '\\:')}`);
  const spec = ({ word, what, values }: CommandWords['options'][number]) => {
    const help = what.replace(/[[\]\\:]/g, '\\$&');
    if (values === undefined) return quoteForShell(`*${word}[${help}]`);
    const action = values.length === 0 ? '_files' : `(${values.join(' ')})`;
    return quoteForShell(`*${word}=[${help}]:value:${action}`);
  };
  const cases = commands.map(
    ({ name: command, options: own }) =>
      `    ${quoteForShell(command)})\n      _arguments -S ${own.map(spec).join(' ')} '*:file:_files' ;;`,
  );
  const groups = groupsOf(commands).map(([first, second]) => `    ${first}) second=(${second.join(' ')}) ;;`);
  const firsts = firstWords(commands).map((word) => {
    const what = commands.find((one) => one.name === word)?.what ?? `Commands of ${word}`;
    return described({ word, what });
  });
  return `#compdef ${program}
${name}() {
  local command="$words[2]"
  local -a commands second
  commands=(${firsts.join(' ')})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$command" in
${groups.join('\n')}
  esac
  if (( \${#second} )); then
    if (( CURRENT == 3 )) && [[ "$words[3]" != -* ]]; then compadd -a second; return; fi
    if (( \${second[(Ie)$words[3]]} )); then command="$command $words[3]"; shift words; (( CURRENT-- )); fi
  fi
  shift words; (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
compdef ${name} ${program}
`;
}

function fishScript(program: string, commands: readonly CommandWords[]): string {
  const groups = groupsOf(commands);
  const lines = firstWords(commands).map((word) => {
    const what = commands.find((one) => one.name === word)?.what ?? `Commands of ${word}`;
    return `complete -c ${program} -n __fish_use_subcommand -f -a ${word} -d ${quoteForShell(what)}`;
  });
  const seconds = groups.map(
    ([first, second]) =>
      `complete -c ${program} -n "__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${second.join(' ')}" -f -a ${quoteForShell(second.join(' '))}`,
  );
  const options = commands.flatMap(({ name, options: own }) => {
    const [first, second] = name.split(' ');
    const rivals = groups.find(([group]) => group === first)?.[1] ?? [];
    const condition =
      second === undefined
        ? `__fish_seen_subcommand_from ${first}${rivals.length === 0 ? '' : `; and not __fish_seen_subcommand_from ${rivals.join(' ')}`}`
        : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    return own.map(({ word, what, values }) => {
      const flag = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
      const value =
        values === undefined
          ? ''
          : values.length === 0
            ? ' -r -F'
            : ` -x -a ${quoteForShell(values.join(' '))}`;
      return `complete -c ${program} -n "${condition}" ${flag}${value} -d ${quoteForShell(what)}`;
    });
  });
  return `${[...lines, ...seconds, ...options].join('\n')}\n`;
}
