import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MeasuredProduct } from '../measured-product.ts';
import { readPartial, writePartial } from './measure-study.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partial-'));
});
afterAll(() => rm(folder, { recursive: true }));

const provenance = { study: 's', version: '1', adapter: 'a', toggles: ['t', 'u'] };
const product: MeasuredProduct = {
  facts: {
    ...{ case: 'c', kernel: 'k', algorithm: 'x', leaf: 'l', levels: 1, levelsUsed: 1, fringe: 'pad' },
    ...{ tail: 'mask', precision: 'f64', input: 'uniform', m: 2, k: 2, n: 2, seed: 1, series: false },
  },
  readings: { max: 'Infinity', mean: 1e-300 },
  unwritten: 0,
};

test('finished products come back as they were; without a file there are none', async () => {
  const file = join(folder, 'kept.json');
  expect(await readPartial(file, provenance)).toEqual(new Map());
  await writePartial(file, provenance, new Map([['c', product]]));
  expect(await readPartial(file, provenance)).toEqual(new Map([['c', product]]));
});

test.each([{ study: 'z' }, { version: '2' }, { adapter: 'b' }, { toggles: ['t'] }])(
  'products made with another provenance are refused and left alone: %o',
  async (change) => {
    const file = join(folder, 'other.json');
    await writePartial(file, provenance, new Map([['c', product]]));
    const before = await readFile(file, 'utf8');
    const [key] = Object.keys(change);
    await expect(readPartial(file, { ...provenance, ...change })).rejects.toThrow(`its ${key} is`);
    expect(await readFile(file, 'utf8')).toBe(before);
  },
);

test.each(['', '{', '{}', '{"schema":"gemm-paranoia/study-partial/3","products":[{}]}'])(
  'a damaged file is refused with one sentence that says what to do: %j',
  async (text) => {
    const file = join(folder, 'damaged.json');
    await writeFile(file, text);
    await expect(readPartial(file, provenance)).rejects.toThrow(
      /damaged or comes from another version\. .* --fresh\. /,
    );
  },
);
