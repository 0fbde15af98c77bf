import { describe, expect, it } from 'vitest';
import { isWhole } from '../base/in-short.testing.ts';
import type { Algorithm } from './algorithm.ts';
import { algorithms } from './algorithms.ts';
import { defineAlgorithm } from './define-algorithm.ts';
import { growthByBlock, growthFactor } from './growth.ts';
import { scheduleValuesOf } from './notation.ts';
import { scheduleFromTable } from './schedule.ts';
import { brentViolations, findWrongBlocks } from './verify-algorithm.ts';

describe.each(algorithms.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (_, algorithm) => {
  it('satisfies the Brent equations', () => {
    expect(brentViolations(algorithm)).toEqual([]);
  });

  it.runIf(isWhole || algorithm.u.length < 10)('violates them after any change of one coefficient', () => {
    for (const part of ['u', 'v', 'w'] as const) {
      algorithm[part].forEach((row, r) => {
        row.forEach((value, c) => {
          for (const wrong of [-2, -1, 0, 1, 2].filter((x) => x !== value)) {
            const table = algorithm[part].map((x) => [...x]);
            table[r][c] = wrong;
            expect(brentViolations({ ...algorithm, [part]: table }).length).toBeGreaterThan(0);
          }
        });
      });
    }
  });

  it('has a schedule that computes the product', () => {
    expect(findWrongBlocks(algorithm)).toEqual([]);
  });

  it('has a schedule in which every changed factor is found', () => {
    const values = scheduleValuesOf(algorithm);
    values.all.forEach((value, at) => {
      if (value.kind !== 'sum') return;
      value.terms.forEach((_, t) => {
        for (const by of [-1, 2]) {
          const terms = value.terms.map((x, i) => (i === t ? { ...x, factor: by * x.factor } : x));
          const all = values.all.map((x, i) => (i === at ? { ...value, terms } : x));
          expect(findWrongBlocks(algorithm, { ...values, all }).length).toBeGreaterThan(0);
        }
      });
    });
  });

  it('gets a correct schedule from its table alone', () => {
    const { schedule: _schedule, ...bare } = algorithm;
    expect(findWrongBlocks(bare)).toEqual([]);
    expect(() => defineAlgorithm({ ...bare, schedule: scheduleFromTable(bare) })).not.toThrow();
  });

  it('is what a definition accepts', () => expect(defineAlgorithm(algorithm)).toBe(algorithm));
});

describe('growth constants (Higham, section 23.2)', () => {
  const by = (name: string) => algorithms.find((a) => a.name === name) as Algorithm;
  it('are 2 a block for classical: k doubles', () =>
    expect(growthByBlock(by('classical'))).toEqual([2, 2, 2, 2]));
  it('are 12, 4, 4, 12 for Strassen', () => expect(growthByBlock(by('strassen'))).toEqual([12, 4, 4, 12]));
  it('reach 18 for Winograd', () => expect(growthFactor(by('winograd'))).toBe(18));
});
