import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import { matrix, type RealArray } from '../matrix/dense.ts';
import { digestBits } from './numbers.ts';

const column = (data: RealArray) => matrix(data.length, 1, data);

/** Returns the digests of a product and of operands A, B and C. */
async function digests(d: RealArray, a: RealArray = Float32Array.of(1), c?: RealArray) {
  const operands = { a: column(a), b: column(Float32Array.of(2)), ...(c && { c: column(c) }) };
  const product = { c: column(d), unwritten: 0, overwritten: 0 };
  return (await digestBits({ outcomes: [product], operands })).bits;
}

const d = async (...entries: readonly number[]) => (await digests(Float32Array.from(entries))).d;

/** A binary32 NaN with a payload, made of its bits. */
const nanOf = (...words: readonly number[]) => new Float32Array(Uint32Array.from(words).buffer);

it('the digest of D is SHA-256 of its entries, cut to 128 bits', async () => {
  const entries = Float32Array.of(1, -2.5, 0);
  expect((await digests(entries)).d).toBe(createHash('sha256').update(entries).digest('hex').slice(0, 32));
  expect((await digests(new Float32Array())).d).toBe(createHash('sha256').digest('hex').slice(0, 32));
});

it('the sign of zero counts, in D and in operands', async () => {
  expect(await d(0, 1)).not.toBe(await d(-0, 1));
  const [plus, minus] = [Float32Array.of(0), Float32Array.of(-0)];
  expect((await digests(plus, plus)).operands).not.toBe((await digests(plus, minus)).operands);
});

it.each([
  ['binary32', nanOf(0x7fc00000, 1), nanOf(0xffc12345, 1)],
  [
    'binary64',
    new Float64Array(Uint32Array.of(0, 0x7ff80000).buffer),
    new Float64Array(Uint32Array.of(5, 0xfff80001).buffer),
  ],
])('every NaN is the same in %s, and it differs from a number', async (_, one, other) => {
  expect((await digests(one)).d).toBe((await digests(other)).d);
  expect((await digests(one)).d).not.toBe((await digests(one.map(() => 0))).d);
});

it('the last bit of every product of a batch counts, and so does the order of entries', async () => {
  const batch = [1, 2, 3, 4, 5, 6];
  for (let at = 0; at < batch.length; at++)
    expect(await d(...batch.map((x, e) => (e === at ? x + 2 ** -21 : x)))).not.toBe(await d(...batch));
  expect(await d(1, 2)).not.toBe(await d(2, 1));
});

itWhole('the parts of a large product count, and views of larger memory are equal to copies', async () => {
  const large = new Float32Array(2 ** 23 + 1);
  const before = (await digests(large)).d;
  large[2 ** 23] = 1;
  expect((await digests(large)).d).not.toBe(before);
  expect((await digests(Float32Array.of(9, 1, 2).subarray(1))).d).toBe(await d(1, 2));
});

it('A and C count as operands, not D', async () => {
  const [one, two] = [Float32Array.of(1), Float32Array.of(2)];
  const { operands } = await digests(one, one, one);
  expect((await digests(two, one, one)).operands).toBe(operands);
  for (const others of [
    [two, one],
    [one, two],
    [one, undefined],
  ] as const)
    expect((await digests(one, ...others)).operands).not.toBe(operands);
});
