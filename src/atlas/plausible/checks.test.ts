import { expect, it } from 'vitest';
import { inShort } from '../../base/in-short.testing.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { groupFailures } from '../../run/groups/group-failures.ts';
import type { Results } from '../../run/results.ts';
import { publishedRun } from '../run.testing.ts';
import { implausibleIn } from './checks.ts';

const NOW = new Date('2026-12-01T00:00:00Z');
type Spoil = (results: Results) => void;

/** The first case that passes with an error. */
const erring = ({ cases }: Results) =>
  cases.find(
    ({ verdict, exact, sigma }) => verdict === 'pass' && Number(exact?.meanError) > 0 && sigma !== undefined,
  ) as CaseResult;
const measuresOf = (run: Results) => erring(run).exact ?? {};
const failing = ({ cases }: Results) => cases.find(({ verdict }) => verdict === 'fail') as CaseResult;

it('finds nothing in a run, with its groups', () => {
  const run = publishedRun();
  expect(implausibleIn({ ...run, groups: groupFailures(run.cases) }, NOW)).toEqual([]);
});

const planted: readonly (readonly [what: string, fault: RegExp, spoil: Spoil])[] = [
  [
    'a failure that is told to pass',
    /its checks make it/,
    (run) => {
      Object.assign(failing(run), { verdict: 'pass' });
      Object.assign(run.summary, { pass: 176, fail: 5 });
    },
  ],
  [
    'a verdict that its cases contradict',
    /its cases make it|its checks make it/,
    (run) => Object.assign(run, { verdict: 'pass' }),
  ],
  [
    'counts of other cases',
    /the summary counts|there twice|does not add up/,
    ({ summary }) => Object.assign(summary, { pass: 181, fail: 0 }),
  ],
  [
    'a case that is left out',
    /the summary counts|there twice|does not add up/,
    ({ cases }) => cases.splice(cases.indexOf(cases[3]), 1),
  ],
  [
    'a case that is there twice',
    /the summary counts|there twice|does not add up/,
    ({ cases }) => cases.splice(3, 1, cases[4]),
  ],
  [
    'mirrors that no case has',
    /the summary counts|there twice|does not add up/,
    ({ summary }) => Object.assign(summary, { mirrored: 3, mirrorEqual: 3 }),
  ],
  [
    'a plan that does not add up',
    /the summary counts|there twice|does not add up/,
    ({ summary }) => Object.assign(summary, { planned: 200 }),
  ],
  [
    'a run of tomorrow',
    /yet to come|no time/,
    (run) => Object.assign(run, { createdAt: '2026-12-03T00:00:00Z' }),
  ],
  ['a run of no time', /yet to come|no time/, (run) => Object.assign(run, { createdAt: 'soon' })],
  [
    'a text that is no case',
    /cannot be read|its text says|was planted/,
    (run) => Object.assign(erring(run), { case: 'x' }),
  ],
  [
    'another size than that of the text',
    /cannot be read|its text says|was planted/,
    (run) => Object.assign(erring(run), { m: 12345 }),
  ],
  [
    'a fault that was planted',
    /cannot be read|its text says|was planted/,
    (run) => Object.assign(erring(run), { case: `${erring(run).case};fault=drop-last-term` }),
  ],
  [
    'a case left out that is none',
    /cannot be read|its text says|was planted/,
    (run) => Object.assign(run, { leftOut: ['y'] }),
  ],
  ['an error below 0', /error|bits/, (run) => Object.assign(measuresOf(run), { maxError: -1 })],
  [
    'a mean above the largest error',
    /error|bits/,
    (run) => Object.assign(measuresOf(run), { meanError: 1e30 }),
  ],
  [
    'an error without an entry that differs',
    /error|bits/,
    (run) => Object.assign(measuresOf(run), { unequal: 0 }),
  ],
  [
    'a smaller error beside the old bits',
    /error|bits/,
    (run) => {
      const { exact } = erring(run);
      Object.assign(exact ?? {}, { maxError: 1e-30, meanError: 1e-31 });
      Object.assign(exact?.worst ?? {}, { error: 1e-30 });
    },
  ],
  [
    'bits of no precision',
    /error|bits/,
    (run) => Object.assign(measuresOf(run), { bits: 0.5, componentwise: 1e-9 }),
  ],
  ['NaN for an error', /error|bits/, (run) => Object.assign(measuresOf(run), { componentwise: 'NaN' })],
  [
    'a check that passes beyond what it allows',
    /allowed|its check|the check found|none of the numbers/,
    (run) => {
      const [check] = erring(run).checks.filter(({ name }) => name === 'running-bound');
      Object.assign(check, { found: 2 });
    },
  ],
  [
    'another bound than its check found',
    /allowed|its check|the check found|none of the numbers/,
    (run) => Object.assign(erring(run).runningBound ?? {}, { used: 1e-9 }),
  ],
  [
    'a mirror without its numbers',
    /allowed|its check|the check found|none of the numbers/,
    (run) => {
      const result = erring(run);
      result.mirrorEqual = true;
      delete result.sigma;
      Object.assign(run.summary, { mirrored: 1, mirrorEqual: 1 });
    },
  ],
  [
    'a group of cases that pass',
    /is not said of/,
    (run) => {
      const [group, ...more] = groupFailures(run.cases);
      const passing = run.cases.findIndex(({ verdict }) => verdict === 'pass');
      run.groups = [{ ...group, cases: [passing, ...group.cases.slice(1)] }, ...more];
    },
  ],
];

it.each(inShort(planted, 3))('finds %s', (_, fault, spoil) => {
  const run = publishedRun();
  spoil(run);
  expect(implausibleIn(run, NOW).join()).toMatch(fault);
});
