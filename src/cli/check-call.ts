import type { CAC } from 'cac';
import { lookUp } from '../base/look-up.ts';
import { unknownName } from '../base/messages.ts';
import { missingOption } from '../config/messages.ts';
import { extraArgument, missingArgument } from './messages.ts';

type Command = NonNullable<CAC['matchedCommand']>;

/**
 * Refuses a call of a command with arguments or options that it does not take, or without those that it needs, before
 * the parser does it in words of its own.
 * @throws ParanoiaError `unknown-name`, `missing-option`, `missing-argument`, `extra-argument`
 */
export function checkCall(cli: CAC, command: Command): void {
  refuseUnknownOptions(cli, command);
  requireValues(cli, command);
  const { args } = command;
  const given = cli.args.length;
  const missing = args.find(({ required }, at) => required && at >= given);
  if (missing !== undefined) {
    throw missingArgument({
      argument: missing.value,
      command: `${cli.name} ${command.rawName}`,
    });
  }
  if (given > args.length && !args.some(({ variadic }) => variadic)) {
    const example = command.examples[0];
    throw extraArgument({
      command: command.name,
      given: cli.args[args.length],
      example: typeof example === 'string' ? example : `${cli.name} ${command.name} --help`,
    });
  }
}

/** Names the nearest option where one is misspelt. */
function refuseUnknownOptions({ options, globalCommand, rawArgs }: CAC, command: Command): void {
  const names = [...command.options, ...globalCommand.options].flatMap((option) => option.names);
  const unknown =
    Object.keys(options).find((name) => name !== '--' && !names.includes(name)) ?? droppedOption(rawArgs);
  if (unknown === undefined) return;
  throw unknownName({
    what: 'option',
    given: dashed(unknown),
    known: [...new Set(names.map(dashed))],
  });
}

/** The first option that the parser drops in silence: its name is one that objects inherit, as `constructor`. */
function droppedOption(words: readonly string[]): string | undefined {
  const end = words.indexOf('--');
  const names = words
    .slice(0, end < 0 ? words.length : end)
    .flatMap((word) => /^--?(?:no-)?([^=]+)/.exec(word)?.[1] ?? []);
  return names.find((name) =>
    name.split('.').some((part) => part === 'prototype' || Object.hasOwn(Object.prototype, part)),
  );
}

/** An option that takes a value and is given none arrives as true. */
function requireValues({ options }: CAC, command: Command): void {
  const bare = command.options.find(
    ({ required, names }) => required && names.some((name) => lookUp(options, name) === true),
  );
  if (bare === undefined) return;
  throw missingOption({
    option: `--${dashless(bare.rawName)}`,
    need: `a value: ${bare.rawName}`,
  });
}

const dashless = (rawName: string): string => rawName.replace(/^--/, '').replace(/[ =].*/, '');

function dashed(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return words.length === 1 ? `-${words}` : `--${words}`;
}
