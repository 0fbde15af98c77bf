import { expect, it } from 'vitest';
import { cutAtWord, cutText, displayWidth, firstLines, foldText, wrapText } from './text.ts';

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
  expect(cutText('abcdef', 4)).toBe('abc…');
  expect(cutText('行列行列', 6)).toBe('行列…');
  expect(cutText('abc', 3)).toBe('abc');
});

it('cuts after a word', () => {
  expect(cutAtWord('one two three', 10)).toBe('one two …');
  expect(cutAtWord('one two, three', 11)).toBe('one two …');
  expect(cutAtWord('one two', 7)).toBe('one two');
  expect(cutAtWord('looooooong', 5)).toBe('looo…');
});

it('breaks lines at spaces and keeps long words', () => {
  expect(wrapText('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrapText('a\nb', 8)).toEqual(['a', 'b']);
  expect(wrapText('a looooooooooong word', 8)).toEqual(['a', 'looooooooooong', 'word']);
});

it('folds words that are longer than a line, by columns and not characters', () => {
  expect(foldText('a looooong word', 5)).toEqual(['a', 'loooo', 'ong', 'word']);
  expect(foldText('行列行列', 5)).toEqual(['行列', '行列']);
  expect(foldText('行', 1)).toEqual(['行']);
  expect(foldText('', 5)).toEqual(['']);
});

it('keeps the first lines, the last with a mark where more was cut off', () => {
  expect(firstLines('one two three four', 9, 2)).toEqual(['one two', 'three …']);
  expect(firstLines('one two three', 9, 2)).toEqual(['one two', 'three']);
  expect(firstLines('seventeen eighteen nineteen', 9, 2)).toEqual(['seventeen', 'eightee …']);
  expect(firstLines('one', 9, 0)).toEqual([]);
});
