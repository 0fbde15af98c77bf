import { expect, it, vi } from 'vitest';
import { computeOnce, Memo } from './memo.ts';

it('makes each value once, and forgets the one longest unused', () => {
  const memo = new Memo<string>(2);
  const make = vi.fn((key: string) => `made ${key}`);
  const get = (key: string) => memo.get(key, () => make(key));
  expect(get('a')).toBe('made a');
  get('b');
  get('a');
  get('c');
  get('a');
  expect(make.mock.calls.flat()).toEqual(['a', 'b', 'c']);
  get('b');
  expect(make.mock.calls.flat()).toEqual(['a', 'b', 'c', 'b']);
});

it('does not remember a failure', () => {
  const memo = new Memo<number>(2);
  const failing = () => {
    throw new Error('no');
  };
  expect(() => memo.get('a', failing)).toThrow('no');
  expect(memo.get('a', () => 7)).toBe(7);
});

it('computes the value of a key once', () => {
  let calls = 0;
  const known = new Map<string, number>();
  const lengthOf = (text: string) => {
    calls++;
    return text.length;
  };
  expect([computeOnce(known, 'ab', lengthOf), computeOnce(known, 'ab', lengthOf)]).toEqual([2, 2]);
  expect(calls).toBe(1);
});
