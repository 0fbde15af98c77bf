import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { Evaluator } from '../../src/evidence/evaluate.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { selfTest } from '../../src/gate/self-test.ts';
import { isAsExpected } from '../../src/gate/self-test-summary.ts';
import { openNodeDevice } from '../../src/gpu/node/open.ts';
import { type Fault, faults, findFault, rungs } from '../../src/kernels/faults/faults.ts';

/** Some faults of every file that show early: of shader text, of steps, of a schedule, and of changing order. */
const SAMPLE: Readonly<Record<string, readonly string[]>> = {
  indexing: ['dropped-last-k', 'columns-swapped-in-tile', 'offset-in-a-8-bits'],
  edges: ['unwritten-last-row', 'peel-right-skipped'],
  layout: ['transposed-b', 'shifted-binding'],
  synchronization: ['stale-tile', 'last-step-lost'],
  schedule: ['swapped-m3-m5', 'strassen-without-t2-a21-a22', 'lost-product-level-1'],
  precision: ['f16-accumulator', 'pair-low-part-lost', 'accumulator-12-bits'],
  'special-values': ['infinity-to-nan'],
  'non-determinism': ['order-by-run'],
  batch: ['stale-sizes', 'rows-together-16'],
  fused: ['fused-update-sign', 'fused-batch-too-early'],
};

/** The last complete output of `selftest`. */
interface Recorded {
  readonly faults: readonly { readonly name: string; readonly killed: boolean; readonly what: string }[];
  readonly classes: readonly {
    readonly planted: number;
    readonly killed: number;
    readonly missed: string[];
  }[];
}
const recorded: Recorded = JSON.parse(
  readFileSync(new URL('../../fixtures/selftest/swiftshader.json', import.meta.url), 'utf8'),
);

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());
const evaluator = new Evaluator(exactProduct);

/** Restricts faults of special values to level 0. Their inputs come last in the sample, and one level has fewer cases before them. */
const early = (fault: Fault): Fault => (fault.class === 'special-values' ? { ...fault, levels: [0] } : fault);

describe('the gate is as sharp as recorded', () => {
  it.each(Object.entries(SAMPLE))('on faults of %s', async (_, names) => {
    const outcomes = await selfTest(open, evaluator, { planted: names.map(findFault).map(early) });
    expect(outcomes.map(({ fault }) => fault.name)).toEqual(names);
    for (const outcome of outcomes) {
      const { fault, failed, run } = outcome;
      const { killed } = recorded.faults.find(({ name }) => name === fault.name) ?? {};
      expect(run, fault.name).toBeGreaterThan(0);
      expect(failed?.verdict === 'fail', fault.name).toBe(killed);
      expect(isAsExpected(outcome), `${fault.name}: ${failed?.reason}`).toBe(true);
    }
  });

  it('on all: the record is of these very faults, each planted, and no fewer fail than ever', () => {
    const told = ({ name, what }: { name: string; what: string }) => `${name}: ${what}`;
    expect(recorded.faults.map(told)).toEqual([...faults, ...rungs].map(told));
    const sum = (of: (one: Recorded['classes'][number]) => number) =>
      recorded.classes.reduce((total, one) => total + of(one), 0);
    expect(sum(({ planted }) => planted)).toBe(faults.length);
    expect(sum(({ killed }) => killed)).toBeGreaterThanOrEqual(164);
    expect(recorded.classes.flatMap(({ missed }) => missed)).toEqual([]);
  });
});
