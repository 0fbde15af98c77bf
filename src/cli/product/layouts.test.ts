import { expect, it } from 'vitest';
import { formatStorage } from '../../problem/problem.ts';
import { layoutsOf } from './layouts.ts';

const sizes = { m: 6, k: 7, n: 8, batch: 3 };
const read = (text: string, name = 'A') => {
  const { a, b, c } = layoutsOf({ [`layout${name}`]: text }, sizes);
  return formatStorage((a ?? b ?? c) as never);
};

it.each([
  ['n', 'A', 'n'],
  ['t', 'A', 't'],
  ['tf', 'A', 'tf'],
  ['n,ld=9', 'A', 'n+2'],
  ['t,ld=9', 'A', 't+3'],
  ['nf,ld=6,offset=5', 'A', 'nf@5'],
  ['n,stride=0', 'B', 'n*same'],
  ['n, ld=10, stride=80', 'B', 'n+2*10'],
  ['nf,ld=7,offset=1,stride=60', 'C', 'nf+1@1*4'],
  ['n,inc=2', 'A', 'n/2'],
  ['tf,inc=3,ld=21', 'A', 'tf/3+2'],
  ['n,ld=21,stride=7', 'A', 'n*interleaved'],
  ['tf,ld=24,stride=7', 'A', 'tf+3*interleaved'],
])('%s of %s is %s in a case', (text, name, storage) => {
  expect(read(text, name)).toBe(storage);
});

it.each([
  ['n,ld=6', /^ld of --layout-a must be at least 7, the entries of a stored row of A, but is 6\.$/],
  ['nf,ld=5', /^ld of --layout-a must be at least 6, the entries of a stored column of A/],
  [
    'n,stride=41',
    /^stride of --layout-a must be 0, at least 42, or 7 if ld is at least 21 \(interleaved\), because matrices of a batch must not overlap, but is 41\.$/,
  ],
  ['n,ld=20,stride=7', /^stride of --layout-a must be 0, at least 120, or 7 if ld is at least 21/],
  ['n,ld=-7', /^ld of --layout-a must be a whole number from 0/],
  ['n,inc=0', /^inc of --layout-a must be a whole number from 1 to 2147483647, but is "0"\.$/],
  [
    'n,inc=2,ld=12',
    /^ld of --layout-a must be at least 13, because entries of A must not overlap with inc=2, but is 12\.$/,
  ],
  ['n,offset=1.5', /^offset of --layout-a must be a whole number/],
  ['c', /^--layout-a must be n, t, nf or tf, with optional ld/],
  ['n,pad=3', /^--layout-a must be n, t, nf or tf/],
  ['n,ld=9,ld=10', /^--layout-a must be n, t, nf or tf/],
  ['n,ld', /^ld of --layout-a needs a value\.$/],
])('refuses %s', (text, message) => {
  expect(() => read(text)).toThrow(message);
});
