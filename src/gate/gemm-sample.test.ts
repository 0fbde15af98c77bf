import { describe, expect, it } from 'vitest';
import { everything, features, missing } from '../matrix/features.ts';
import { formatCase, parseCase } from '../problem/case.ts';
import { gemmOf } from '../problem/gemm-of.ts';
import { unserved } from '../problem/served.ts';
import { edgesOf, isWhole, variations, varied, withVariations } from './gemm-sample.ts';

const plain = parseCase('kernel=mine;m=9;k=10;n=11');
const texts = (count: number, seed = 1, takes = everything) =>
  variations(takes, count, seed).map((variation) => formatCase(varied(plain, variation)));

describe('variations', () => {
  it('are so many, none plain, each a product that can be', () => {
    const found = variations(everything, 60, 1).map((variation) => varied(plain, variation));
    expect(found).toHaveLength(60);
    expect(found.every(isWhole)).toBe(true);
    expect(found.map(unserved).filter((why) => why !== undefined)).toEqual([]);
  });

  it('meet every feature alone and in company, and nearly all pairs of choices', () => {
    const found = variations(everything, 60, 1);
    for (const { key, needs } of features.filter(({ key }) => everything[key] === true && key !== 'empty')) {
      const having = found.filter((variation) => needs(gemmOf(varied(plain, variation).problem)));
      expect(having.length, key).toBeGreaterThan(5);
    }
    const choices = found.map((variation) =>
      ['alpha', 'batch', 'a', 'b', 'c', 'd'].map(
        (key) => `${key} ${JSON.stringify(Reflect.get(variation, key))}`,
      ),
    );
    const pairs = (all: string[][]) =>
      new Set(all.flatMap((chosen) => chosen.flatMap((x, i) => chosen.slice(i + 1).map((y) => `${x} ${y}`))));
    const possible = pairs(
      variations(everything, 2000, 2).map((variation) =>
        ['alpha', 'batch', 'a', 'b', 'c', 'd'].map(
          (key) => `${key} ${JSON.stringify(Reflect.get(variation, key))}`,
        ),
      ),
    );
    expect(pairs(choices).size / possible.size).toBeGreaterThan(0.85);
  });

  it('are the same for a seed, begin alike, and differ from seed to seed', () => {
    expect(texts(20)).toEqual(texts(40).slice(0, 20));
    expect(texts(20, 2)).not.toEqual(texts(20));
  });

  it.each(features.map(({ key }) => key))('have no %s where a kernel does not take it', (key) => {
    const takes = { ...everything, [key]: false };
    const all = variations(takes, 40, 1).map((variation) => varied(plain, variation));
    const edges = edgesOf('mine', takes, {});
    for (const { problem } of [...all, ...edges]) expect(missing(takes, gemmOf(problem))).toBeUndefined();
  });

  it('are none where a kernel takes nothing', () => {
    expect(variations({}, 5, 1)).toEqual([]);
    expect(edgesOf('mine', {}, {})).toEqual([]);
    const cases = [1, 2, 3, 4].map((m) => ({ ...parseCase(`kernel=mine;m=${m};k=1;n=1`), series: false }));
    expect(withVariations(cases, () => ({}), 1)).toEqual(cases);
  });
});

it('two cases of five get a variation, and none of a series', () => {
  const cases = Array.from({ length: 50 }, (_, m) => ({
    ...parseCase(`kernel=mine;m=${m + 1};k=1;n=1`),
    series: m >= 40,
  }));
  const found = withVariations(cases, () => everything, 1);
  expect(found.filter(isWhole)).toHaveLength(16);
  expect(found.slice(40)).toEqual(cases.slice(40));
});

it('a batch of large products is a small one', () => {
  const large = parseCase('kernel=mine;m=97;k=101;n=103');
  expect(varied(large, { batch: 5 }).problem.batch).toBe(1);
  expect(varied(plain, { batch: 5 }).problem.batch).toBe(5);
});
