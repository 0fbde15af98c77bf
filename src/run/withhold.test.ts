import { expect, it } from 'vitest';
import type { Inspection } from '../inspect/inspection.ts';
import { removePraise } from './withhold.ts';

const finding = (id: string, value: string | boolean, answer: string) => ({
  ...{ id, value, answer },
  ...{ question: `${id}?`, confidence: 'measured' as const, evidence: '64 products.' },
});
const inspection: Inspection = {
  ...{ kernel: 'mine', precision: 'f32', quick: true, seed: 1, products: 64, seconds: 1 },
  findings: [
    finding('multiplies', true, 'yes'),
    finding('order', 'sequential', 'sequential'),
    finding('grade', 'A', 'A: small'),
  ],
  measures: { multiplies: true, order: 'sequential', grade: 'A' },
};

it('a kernel that fails is not praised for the products that were asked', () => {
  const cases = [
    { kernel: 'mine', verdict: 'fail' },
    { kernel: 'other', verdict: 'fail' },
    { kernel: 'mine', verdict: 'pass' },
  ] as const;
  const [found] = removePraise([inspection], cases);
  expect(found.measures).toEqual({ order: 'sequential' });
  expect(found.findings.map(({ answer, confidence }) => [answer, confidence])).toEqual([
    ['withheld: 1 case of the gate failed', 'unknown'],
    ['sequential', 'measured'],
    ['withheld: 1 case of the gate failed', 'unknown'],
  ]);
});

it('blame stays, and so does all that is said of a kernel that passes', () => {
  expect(removePraise([inspection], [{ kernel: 'mine', verdict: 'inconclusive' }])).toEqual([inspection]);
  const blamed = { ...inspection, findings: [finding('grade', 'none', 'none: larger')] };
  const [found] = removePraise([blamed], [{ kernel: 'mine', verdict: 'fail' }]);
  expect(found.findings).toEqual(blamed.findings);
});
