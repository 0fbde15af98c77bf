import { expect, it, vi } from 'vitest';
import { Memo } from './memo.ts';

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
