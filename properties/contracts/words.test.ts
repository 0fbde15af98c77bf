import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { pages } from '../pages.ts';
import { LONGEST_SENTENCE, riddlesOf, sentencesOf, textsOf, violationsOf, wordsIn } from './prose.ts';

/**
 * The contract: every sentence is read once. A docblock begins with a noun phrase, a verb in the third person or "True if". Messages and
 * help have short sentences that begin with their subject, and no word that the glossary replaced; pages likewise.
 */

const root = new URL('../../', import.meta.url);
const FOLDERS = ['src', 'lab', 'properties', 'tests', 'config', 'docs/site'];
const RIDDLE = /^\s*(?:\/\*\*|\*) (?:What|Whether|Who|How|Of)\b.*$/gm;

const riddlesIn = (text: string): string[] => (text.match(RIDDLE) ?? []).map((line) => line.trim());

it('no docblock begins as a question', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(1000);
  const found = files.flatMap((file) =>
    riddlesIn(readFileSync(new URL(file, root), 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

it.each(['/** Whether it is so. */', '  /** Of two kernels the slower. */', ' * How many there are.'])(
  '%s is one',
  (line) => {
    expect(riddlesIn(`const a = 1;\n${line}\nconst b = 2;`)).toEqual([line.trim()]);
  },
);

it('a question in the middle of a docblock is none', () => {
  expect(riddlesIn('/** The kernels of a run. */\n// What is left.\n/** Says how. */')).toEqual([]);
});

const messageFiles = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)messages\.ts$/.test(file))
  .map((file) => `src/${file}`);

describe('prose', () => {
  it('messages are short, begin with their subject and use the words of the glossary', () => {
    const texts = messageFiles.flatMap((file) => textsOf(readFileSync(new URL(file, root), 'utf8')));
    expect(texts.length).toBeGreaterThan(150);
    expect(texts.flatMap(violationsOf)).toEqual([]);
  });

  it('so does the help of every command and option', () => {
    const helps = Object.values(commands).flatMap(({ what, options }) => [
      what,
      ...Object.values(options).map((option) => option.what),
    ]);
    expect(helps.length).toBeGreaterThan(150);
    expect(helps.flatMap(violationsOf)).toEqual([]);
  });

  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', ...pages])('%s has no riddle', (file) => {
    const text = proseOf(readFileSync(new URL(file, root), 'utf8'));
    expect(sentencesOf(text).length).toBeGreaterThan(2);
    expect(riddlesOf(text)).toEqual([]);
  });

  it.each([
    ['Of two kernels the slower is meant.', 'put the subject first'],
    ['The kernel failed. What is left is kept.', 'put the subject first'],
    ['A kernel that nobody trusts failed.', 'write untrusted, or a subject'],
    ['The referee ends it.', 'write judge'],
    [`It ${'is long and '.repeat(9)}never ends.`, '30 words'],
  ])('%s is refused', (text, why) => {
    expect(violationsOf(text)).toMatchObject([{ why }]);
  });

  it('counts words and sentences as a reader does', () => {
    expect(sentencesOf('It failed: 3.5 times (n = 4). Try --all.')).toEqual([
      'It failed: 3.5 times (n = 4).',
      'Try --all.',
    ]);
    expect(wordsIn('‹x› is 3 × 4, or --all.')).toBe(6);
    expect(violationsOf(`${'word '.repeat(LONGEST_SENTENCE)}.`)).toEqual([]);
    const fill = (value: string) => `\u0024{${value}}`;
    const module = `message((d) => \`${fill('d.a')} is ${fill('d.list.map((x) => `a`).join()')} long\`, 'text not shown');`;
    expect(textsOf(module)).toContain('‹x› is ‹x› long');
  });
});

/** Returns the prose of a page: without code, addresses, comments and quotes of programs. */
const proseOf = (page: string): string =>
  page
    .replace(/```[\s\S]*?```/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/`[^`]*`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/^#+ (.*)$/gm, '$1.')
    .replace(/^[>|\s-]+/gm, '');
