import { describe, expect, it } from 'vitest';
import { inShort, itWhole } from '../base/in-short.testing.ts';
import { everything, features, whyNotAccepted } from '../matrix/features.ts';
import { formatCase, parseCase } from '../problem/case.ts';
import { toGemm } from '../problem/gemm-of.ts';
import { whyImpossible } from '../problem/why-impossible.ts';
import { applyVariation, isWholeGemm, listEdgeCases, variations, withVariations } from './gemm-sample.ts';

const plain = parseCase('kernel=mine;m=9;k=10;n=11');
const texts = (count: number, seed = 1, takes = everything) =>
  variations(takes, count, seed).map((variation) => formatCase(applyVariation(plain, variation)));

describe('variations', () => {
  it('are so many, none plain, each a product that can be', () => {
    const found = variations(everything, 60, 1).map((variation) => applyVariation(plain, variation));
    expect(found).toHaveLength(60);
    expect(found.every(isWholeGemm)).toBe(true);
    expect(found.map(whyImpossible).filter((why) => why !== undefined)).toEqual([]);
  });

  it('of a default gate meet every feature alone and in company, with and without each other', () => {
    const found = variations(everything, 160, 1).map((variation) =>
      toGemm(applyVariation(plain, variation).problem),
    );
    const drawn = features.filter(({ key }) => everything[key] === true && key !== 'empty');
    for (const { key, needs } of drawn) {
      const having = found.filter(needs);
      expect(having.length, key).toBeGreaterThan(5);
      for (const other of drawn.filter((one) => one.key !== key)) {
        expect(having.some(other.needs), `${key} and ${other.key}`).toBe(true);
        // A matrix shared by all products needs a batch.
        if (key === 'broadcast' && other.key === 'batch') continue;
        // So do interleaved lines, whose distance is larger than their length.
        if (key === 'interleaved' && ['batch', 'leadingDimensions'].includes(other.key)) continue;
        expect(
          having.some((gemm) => !other.needs(gemm)),
          `${key} without ${other.key}`,
        ).toBe(true);
      }
    }
    const ops = found.map(({ a, b, beta }) => `${a.op}${b.op} ${beta === 0}`);
    expect(new Set(ops).size).toBe(8);
  });

  itWhole('have factors, gaps and offsets of any size', () => {
    const found = [1, 2, 3, 4].flatMap((seed) => variations(everything, 60, seed));
    const different = (of: (one: (typeof found)[number]) => unknown) => new Set(found.map(of)).size;
    expect(different(({ alpha }) => alpha)).toBeGreaterThan(20);
    expect(different(({ beta }) => beta)).toBeGreaterThan(20);
    expect(different(({ a }) => a?.pad)).toBeGreaterThan(20);
    expect(different(({ b }) => b?.offset)).toBeGreaterThan(20);
    expect(different(({ batch }) => batch)).toBeGreaterThan(15);
  });

  itWhole('are the same for a seed, begin alike, and differ from seed to seed', () => {
    expect(texts(20)).toEqual(texts(40).slice(0, 20));
    expect(texts(20, 2)).not.toEqual(texts(20));
  });

  it.each(
    inShort(
      features.map(({ key }) => key),
      6,
    ),
  )('have no %s where a kernel does not take it', (key) => {
    const takes = { ...everything, [key]: false };
    const all = variations(takes, 40, 1).map((variation) => applyVariation(plain, variation));
    const edges = listEdgeCases('mine', takes, {});
    for (const { problem } of [...all, ...edges])
      expect(whyNotAccepted(takes, toGemm(problem))).toBeUndefined();
  });

  it('are none where a kernel takes nothing', () => {
    expect(variations({}, 5, 1)).toEqual([]);
    expect(listEdgeCases('mine', {}, {})).toEqual([]);
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
  expect(found.filter(isWholeGemm)).toHaveLength(16);
  expect(found.slice(40)).toEqual(cases.slice(40));
});

it('a batch of large products is a small one', () => {
  const large = parseCase('kernel=mine;m=97;k=101;n=103');
  expect(applyVariation(large, { batch: 5 }).problem.batch).toBe(1);
  expect(applyVariation(plain, { batch: 5 }).problem.batch).toBe(5);
});
