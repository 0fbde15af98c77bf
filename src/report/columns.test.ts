import { expect, it } from 'vitest';
import { columnsOf, cut, displayWidth, wrap } from './columns.ts';

it.each([
  ['abc', 3],
  ['\x1b[31mabc\x1b[39m', 3],
  ['±×σ', 3],
  ['行列', 4],
  ['e\u0301', 1],
  ['✅', 2],
])('knows how wide %j is', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

it('cuts to columns, not characters', () => {
  expect(cut('abcdef', 4)).toBe('abc…');
  expect(cut('行列行列', 6)).toBe('行列…');
  expect(cut('abc', 3)).toBe('abc');
});

const columns = [{ heading: 'name', text: true }, { heading: 'x' }];

it('aligns wide and coloured cells', () => {
  const red = (text: string) => `\x1b[31m${text}\x1b[39m`;
  const lines = columnsOf(
    columns,
    [
      ['行列', '1'],
      ['abc', { text: '22', paint: red }],
    ],
    80,
    String,
  );
  expect(lines).toEqual(['name   x', '行列   1', `abc   ${red('22')}`]);
});

it('narrows the first column of a table that is too wide', () => {
  const lines = columnsOf(columns, [['a'.repeat(50), '123456']], 30, String);
  expect(lines[1]).toBe(`${'a'.repeat(21)}…  123456`);
  expect(lines.map(displayWidth)).toEqual([30, 30]);
});

it('breaks lines at spaces and keeps long words', () => {
  expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrap('a\nb', 8)).toEqual(['a', 'b']);
  expect(wrap('a looooooooooong word', 8)).toEqual(['a', 'looooooooooong', 'word']);
});
