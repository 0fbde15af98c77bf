import { expect, it } from 'vitest';
import { classOfHistory, classOfMutant, type HistoricFields } from './classes.ts';
import type { CorpusKernel, GraderOutcome } from './outcome.ts';
import { tallies } from './tally.ts';

const bug = (more: Partial<HistoricFields>): HistoricFields => ({
  ...{ fails: [{ m: 3, k: 3, n: 3 }], holds: [], trigger: 'm is odd', what: 'Rows were lost.' },
  ...more,
});

it('bugs of history are classed by what all products have that are wrong', () => {
  const shape = { m: 3, k: 3, n: 3 };
  expect(classOfHistory(bug({}))).toBe('edges');
  expect(classOfHistory(bug({ fails: [{ ...shape, m: 4096 }] }))).toBe('large');
  expect(classOfHistory(bug({ fails: [{ ...shape, m: 4096 }, shape] }))).toBe('edges');
  expect(classOfHistory(bug({ fails: [{ ...shape, a: { op: 't' } }] }))).toBe('layout');
  expect(classOfHistory(bug({ fails: [{ ...shape, beta: 1, a: {} }] }))).toBe('factors');
  expect(classOfHistory(bug({ fails: [{ ...shape, batch: 2, beta: 1 }] }))).toBe('batch');
  expect(classOfHistory(bug({ calls: 60 }))).toBe('repetition');
  expect(classOfHistory(bug({ trigger: 'A holds NaN' }))).toBe('values');
  expect(classOfHistory(bug({ holds: [{ ...shape, values: 2 }], what: 'Sums had 11 bits.' }))).toBe(
    'precision',
  );
});

it('mutants are classed by their kind, then by their trigger, then by the product that shows them', () => {
  const shows = { m: 3, k: 3, n: 3 };
  expect(classOfMutant({ kind: 'alphaTwice', trigger: 'threshold', shows })).toBe('factors');
  expect(classOfMutant({ kind: 'lastTerm', trigger: 'chance', shows })).toBe('repetition');
  expect(classOfMutant({ kind: 'lastTerm', trigger: 'values', shows })).toBe('values');
  expect(classOfMutant({ kind: 'lastTerm', trigger: 'residue', shows })).toBe('edges');
  expect(classOfMutant({ kind: 'lastTerm', trigger: 'exact', shows: { ...shows, k: 7000 } })).toBe('large');
});

const specimens: readonly CorpusKernel[] = [
  { name: 'a', corpus: 'history', what: '', fault: 'edges', isUnseen: true },
  { name: 'b', corpus: 'mutants', what: '', fault: 'large' },
  { name: 'c', corpus: 'cheats', what: '', fault: 'cheats' },
  { name: 'd', corpus: 'honest', what: '' },
  { name: 'e', corpus: 'honest', what: '', isClaimed: true },
];
const said = (specimen: string, caught: boolean, more: Partial<GraderOutcome> = {}): GraderOutcome => ({
  ...{ specimen, grader: 'tfjs', caught, products: 4, work: 100, seconds: 0.5 },
  ...more,
});

it('counts kills by corpus and class, alarms apart, and what changes add to what was passed', () => {
  const change = (caught: boolean, products = 1, work = 1000) => ({ caught, products, work });
  const outcomes = [
    said('a', true),
    said('b', false, {
      mends: { 'odd-shape': change(true), 'long-sums': change(true), vectors: change(false) },
    }),
    said('c', false, {
      mends: { 'odd-shape': change(true), 'long-sums': change(false), vectors: change(false) },
    }),
    said('d', false, {
      mends: {
        'odd-shape': change(false, 1, 1000),
        'long-sums': change(false, 1, 1e6),
        vectors: change(true),
      },
    }),
    said('e', true),
    said('unknown', true),
    said('a', true, { grader: 'nobody' }),
  ];
  const [tally, ...others] = tallies(outcomes, specimens, ['lapack', 'tfjs']);
  expect(others).toEqual([]);
  expect(tally).toMatchObject({
    grader: 'tfjs',
    all: { caught: 1, of: 2 },
    byCorpus: {
      history: { caught: 1, of: 1 },
      unseen: { caught: 1, of: 1 },
      mutants: { caught: 0, of: 1 },
      cheats: { of: 1 },
    },
    byClass: { edges: { caught: 1, of: 1 }, large: { caught: 0, of: 1 }, layout: { of: 0 } },
    alarms: { caught: 0, of: 1 },
    claimedAlarms: { caught: 1, of: 1 },
    ...{ products: 4, work: 100, seconds: 0.5 },
  });
  expect(tally.mends.slice(0, 2)).toMatchObject([
    { mend: 'odd-shape', kills: 1, alarms: 0, products: 1, work: 1000 },
    { mend: 'long-sums', kills: 1, alarms: 0, work: 1e6 },
  ]);
  expect(tally.mends.find(({ mend }) => mend === 'vectors')).toMatchObject({ kills: 0, alarms: 1 });
});
