import { expect, it } from 'vitest';
import { seeded } from '../../base/random.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { spotCheck } from './trusted.ts';

const texts = Array.from({ length: 8 }, (_, at) => `kernel=mine;input=uniform;m=${at + 1};k=2;n=3`);
const cases = texts.map((text) => ({ case: text, verdict: 'pass', mirrorEqual: true }) as CaseResult);
const found = { cases, leftOut: [], said: [], seconds: 1 };

it('draws any cases, so that whoever sent them cannot know which', async () => {
  const random = seeded(1, 1);
  const times = new Map<string, number>();
  for (let batch = 0; batch < 100; batch++) {
    await spotCheck(found, 2, random, async (drawn) => {
      expect(new Set(drawn).size).toBe(2);
      for (const text of drawn) times.set(text, (times.get(text) ?? 0) + 1);
      return [];
    });
  }
  // Each is among two of eight in a quarter of the batches: 25, give or take three standard deviations.
  for (const text of texts) expect(Math.abs((times.get(text) ?? 0) - 25), text).toBeLessThan(13);
});
