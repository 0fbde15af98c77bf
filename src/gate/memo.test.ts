import { expect, it, vi } from 'vitest';
import { Memo } from './memo.ts';

it('makes each value once, and forgets the one longest unused', async () => {
  const memo = new Memo<string>(2);
  const make = vi.fn((key: string) => `made ${key}`);
  const get = (key: string) => memo.get(key, () => make(key));
  expect(await get('a')).toBe('made a');
  await get('b');
  await get('a');
  await get('c');
  await get('a');
  expect(make.mock.calls.flat()).toEqual(['a', 'b', 'c']);
  await get('b');
  expect(make.mock.calls.flat()).toEqual(['a', 'b', 'c', 'b']);
});

it('does not remember a failure', async () => {
  const memo = new Memo<number>(2);
  await expect(memo.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await memo.get('a', () => 7)).toBe(7);
});
