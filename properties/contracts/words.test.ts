import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/**
 * The contract: a docblock says what a thing is or does. It begins with a noun phrase, a verb in the third person or "True if", and never
 * with a word that makes a riddle of it.
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
