import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type ErrorMessage, EXIT, ParanoiaError } from '../../src/base/errors.ts';

const rooms = new URL('../../src/', import.meta.url);

/** Every message of every room, under its exported name. */
const messages = (
  await Promise.all(
    readdirSync(rooms)
      .map((room) => new URL(`${room}/messages.ts`, rooms))
      .filter((file) => existsSync(file))
      .map(async (file) =>
        Object.entries((await import(file.href)) as Record<string, ErrorMessage<unknown>>),
      ),
  )
).flat();

it('there are messages, and each is named for its code, which no other has', () => {
  expect(messages.length).toBeGreaterThan(60);
  const codes = messages.map(([, { code }]) => code);
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
  const camel = (code: string) => code.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  expect(messages.filter(([name, { code }]) => name !== camel(code))).toEqual([]);
});

it('each ends a command with a known code, and none with that of a pass', () => {
  const known = new Set<number>(Object.values(EXIT).filter((code) => code !== EXIT.pass));
  expect(messages.filter(([, { exitCode }]) => !known.has(exitCode))).toEqual([]);
});

/** Control characters, line ends, halves of characters, and characters that change the order of text. A newline is allowed. */
const STEERS = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;

it('none steers a terminal, nor orders text otherwise, by what it names', () => {
  const all = Array.from({ length: 2 ** 16 }, (_, code) => String.fromCharCode(code)).filter((one) =>
    STEERS.test(one),
  );
  expect(all.length).toBeGreaterThan(2 ** 11);
  for (const one of all) expect(new ParanoiaError('x', EXIT.usage, `a${one}b`).message).not.toMatch(STEERS);
  const { message } = new ParanoiaError('x', EXIT.usage, 'a\u001b[31m name\u202e of\u0000 somebody');
  expect(message).toBe('a\\u001b[31m name\\u202e of\\u0000 somebody');
});

/** Files that make errors: from messages, and from the output of another process. */
const MAKES_ERRORS = [
  'base/errors.ts',
  'kernels/host/node/replies.ts',
  'run/node/job-process.ts',
  'runtimes/wire.ts',
];

it('none is made by hand', () => {
  const making = readdirSync(rooms, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|testing)\.ts$/.test(file))
    .filter((file) =>
      /\bnew ParanoiaError\b|extends ParanoiaError\b/.test(readFileSync(new URL(file, rooms), 'utf8')),
    );
  expect(making.sort()).toEqual(MAKES_ERRORS);
});
