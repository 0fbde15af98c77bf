import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const OPTIONS = [
  '--kernel',
  '--size',
  '--seed',
  '--last-failed',
  '--list',
  '--tail',
  '--reporter',
  '-u',
  '--out',
];

it.each([
  ['--kernal', '--kernel'],
  ['--sise', '--size'],
  ['--knerel', '--kernel'],
  ['--siez', '--size'],
  ['--last', '--last-failed'],
  ['--report', '--reporter'],
  ['--OUT', '--out'],
])('%s is meant for %s', (given, meant) => expect(nearest(given, OPTIONS)).toBe(meant));

it.each(['--file', '--foobar', '--xyz', '--dry-run'])('%s is meant for none', (given) =>
  expect(nearest(given, OPTIONS)).toBe(undefined),
);

it('has none of none', () => expect(nearest('a', [])).toBe(undefined));
