import { expect, it } from 'vitest';
import { fragmentOf, isLink, LONGEST, textOf } from './link.ts';

const text = JSON.stringify({
  verdict: 'fail',
  says: 'k ≡ 1 mod 16',
  cases: Array.from({ length: 50 }, (_, n) => ({ n })),
});
const fragment = (await fragmentOf(text)) as string;

const problem = async (given: string) =>
  textOf(given).catch((error: Error & { code: string }) => `${error.code}: ${error.message}`);

it('is the same text again', async () => {
  expect(isLink(fragment)).toBe(true);
  expect(fragment).toMatch(/^#r=1\.[\w-]+\.[\w-]+$/);
  expect(await textOf(fragment)).toBe(text);
});

it('is none where it would be too long', async () => {
  const random = Array.from({ length: LONGEST }, (_, at) => Math.sin(at + 1)).join();
  expect(await fragmentOf(random)).toBeUndefined();
});

it.each([
  ['one that ends early', fragment.slice(0, -3)],
  ['one with a letter changed', fragment.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
  ['one with another digest', fragment.replace(/\.[\w-]+\./, '.AAAAAAAAAAAA.')],
  ['letters of no alphabet', '#r=1.x.%%%'],
])('refuses %s as damaged', async (_, given) => {
  expect(await problem(given)).toMatch(/^bad-link: .*damaged/);
});

it('refuses other forms, and newer ones by a sentence of their own', async () => {
  expect(await problem('#r=')).toMatch(/^bad-link: .*does not have the format/);
  expect(await problem(`${fragment}.more`)).toMatch(/does not have the format/);
  expect(await problem(fragment.replace('=1.', '=2.'))).toMatch(/^newer-link: .*\(2\)/);
  expect(await problem(`#r=1.x.${'A'.repeat(LONGEST)}`)).toMatch(/longer than/);
});

it('unpacks no more than there is room for, whatever a link says', async () => {
  const bomb = (await fragmentOf('0'.repeat(2 ** 23))) as string;
  expect(bomb.length).toBeLessThan(LONGEST);
  expect(await problem(bomb)).toMatch(/^bad-link: .*too large/);
});
