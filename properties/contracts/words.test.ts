import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { pages } from '../pages.ts';
import { type Docblock, docblockBreach, docblocksOf } from './docblocks.ts';
import { LONGEST_SENTENCE, riddlesOf, sentencesOf, textsOf, violationsOf, wordsIn } from './prose.ts';

/**
 * The contract: every sentence is read once. A docblock begins with a noun phrase, a verb in the third person or "True if": those of
 * exported functions with a verb, those of types and values with a noun. Messages and help have short sentences that begin with their
 * subject, and no word that the glossary replaced; pages likewise.
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

describe('docblocks of exports', () => {
  const verbsOf = (docblocks: readonly Docblock[]): ReadonlySet<string> =>
    new Set(docblocks.filter(({ kind }) => kind === 'function').map(({ text }) => text.split(' ')[0]));

  it('say what a function does, and what a type or a value is', () => {
    const docblocks = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
      .flatMap((name) =>
        docblocksOf(readFileSync(new URL(`src/${name}`, root), 'utf8')).map((one) => ({
          file: name,
          ...one,
        })),
      );
    expect(docblocks.length).toBeGreaterThan(2500);
    const verbs = verbsOf(docblocks);
    const found = docblocks.flatMap(({ file, ...one }) => {
      const why = docblockBreach(one, verbs);
      return why === undefined ? [] : [`${file}: ${one.name} ${why}: ${one.text}`];
    });
    expect(found).toEqual([]);
  });

  it.each([
    ['/** */\nexport const size = 3;', 'is empty'],
    ['/**\n * A run.\n */\nexport interface Run {\n  readonly n: number;\n}', 'repeats the name'],
    ['/** Parse case */\nexport function parseCase(text: string): Case {', 'repeats the name'],
    ['/** @param text of a case */\nexport const read = (text: string): Case => parse(text);', 'neither'],
    ['/** It is the limit. */\nexport const LIMIT = 3;', 'neither'],
    ['/** The size of a case. */\nexport const sizeOf = ({ m }: Case): number => m;', 'no verb'],
    ['/** Options of a run. */\nexport async function optionsOf<T extends Run>(run: T) {', 'no verb'],
    ['/** Paths that a process may read. */\nexport function* pathsOf(run: Run) {', 'no verb'],
    ['/** Return the size. */\nexport const sizeOf = (one: Case) => one.m;', 'no verb'],
    ['/** True for a leaf. */\nexport const isLeaf = (one: Case) => one.m === 1;', 'no verb'],
    ['/** Returns the sum. */\nexport interface Sum {\n  readonly n: number;\n}', 'begins with a verb'],
    ['/** Returns the sum. */\nexport type Sum = Pick<Run, "n">;', 'begins with a verb'],
    ['/** Returns a sum. */\nexport const sum: Sum = { n: 1 };', 'begins with a verb'],
    ['/** Returns all sums. */\nexport abstract class Sums {', 'begins with a verb'],
  ])('%j is refused', (source, why) => {
    const [docblock, ...more] = docblocksOf(source);
    expect(more).toEqual([]);
    expect(docblockBreach(docblock, new Set(['Returns']))).toContain(why);
  });

  it.each([
    '/** Returns the sum. */\nexport type Add = (x: number, y: number) => number;',
    '/** Returns the sum. */\nexport interface Add {\n  (x: number, y: number): number;\n}',
    '/** Returns the sum, once computed. */\nexport const add = memo(16, sumOf);',
    '/** True if a case is a leaf. */\nexport const isLeaf = ({ m }: Case): boolean => m === 1;',
    '/** Counts that a run returns. */\nexport interface RunCounts {',
    '/** The text of a module. */\n\nexport const next = (n: number) => n + 1;',
  ])('%j is none of these', (source) => {
    for (const docblock of docblocksOf(source))
      expect(docblockBreach(docblock, new Set(['Returns', 'Counts']))).toBeUndefined();
  });
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
