import { expect, it } from 'vitest';
import type { Inspection } from '../inspect/inspection.ts';
import type { RoundFindings } from '../run/fuzz-round.ts';
import { type ComparableResults, difference } from './same-results.ts';

const answer = (id: string, value: string, confidence = 'measured') => ({ id, value, confidence });
const inspected = (findings: readonly object[], more: object = {}): ComparableResults => ({
  cases: [],
  inspection: { kernel: 'mine', precision: 'f32', seconds: 2, findings, ...more } as unknown as Inspection,
});

it('two inspections that answer a question differently are a difference', () => {
  const [one, other] = ['forward', 'backward'].map((value) => inspected([answer('order', value)]));
  expect(difference(one, other, [])).toBe('order in the inspection of mine (forward and backward)');
  expect(difference(one, other, ['mine'])).toBeUndefined();
});

it('how far an inspection went, how sure it is, and how long it took, is none', () => {
  const one = inspected([answer('order', 'forward'), answer('fma', 'fused')]);
  expect(difference(one, inspected([answer('fma', 'fused')], { seconds: 9 }), [])).toBeUndefined();
  expect(difference(one, inspected([answer('order', 'other', 'unknown')]), [])).toBeUndefined();
  expect(difference(one, { cases: [], uninspected: 'no time' }, [])).toBeUndefined();
});

const round = (more: object = {}): ComparableResults => ({
  cases: [],
  fuzz: {
    count: { run: 9, pass: 9, fail: 0, inconclusive: 0, comparedWithModel: 9, equalToModel: 9 },
    coverage: { counts: { kernel: { mine: 9 } }, exponents: {} },
    ...{ worst: [{ case: 'a', seconds: 1 }], recent: [], more: [], ...more },
  } as unknown as RoundFindings,
});

it('two rounds of drawn cases that count or find otherwise are a difference, times apart', () => {
  expect(difference(round(), round({ worst: [{ case: 'a', seconds: 5 }] }), [])).toBeUndefined();
  const failing = round({
    count: { run: 9, pass: 8, fail: 1, inconclusive: 0, comparedWithModel: 9, equalToModel: 9 },
  });
  expect(difference(round(), failing, [])).toBe('a round of drawn cases (its counts)');
  expect(difference(round(), round({ worst: [{ case: 'a', error: 1 }] }), [])).toBe(
    'a round of drawn cases (its largest errors)',
  );
  expect(difference(round(), round({ finding: { case: 'a' } }), [])).toBe(
    'a round of drawn cases (its violation)',
  );
  expect(difference(round(), { ...round(), uninspected: 'stopped' }, [])).toBeUndefined();
});
