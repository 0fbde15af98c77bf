import { group as groupedBy } from 'd3-array';
import type { CaseResult } from '../../evidence/case-result.ts';
import { flat, parseCase } from '../../problem/case.ts';
import { bitsOf } from './bits.ts';
import { type Clause, clausesOf, type Labelled } from './clauses.ts';
import type { FailureGroup } from './group.ts';
import { bestRule } from './rule.ts';
import { sayGroup } from './say-group.ts';
import { inProgram } from './traits.ts';

/** What groups are made of. */
export type Judged = Pick<CaseResult, 'case' | 'kernel' | 'verdict' | 'waived' | 'checks' | 'm' | 'k' | 'n'>;

/** A case, and its place in the run. */
interface Placed {
  readonly result: Judged;
  readonly place: number;
}

/** Groups of one kernel at most; what is left is one more. */
const MOST_GROUPS = 4;

/**
 * Groups the failures of a run by what they share: for each kernel the rule that tells failing cases best from those that
 * pass, then the one that tells the rest best, and so on. What no rule tells is a group without one. Kernels of which the same is
 * to be said share a group. Waived failures and what could not be judged are left out.
 */
export function groupFailures(cases: readonly Judged[]): FailureGroup[] {
  const judged = cases
    .map((result, place): Placed => ({ result, place }))
    .filter(({ result: { verdict, waived } }) => verdict !== 'inconclusive' && waived === undefined);
  const groups = [...groupedBy(judged, ({ result }) => result.kernel).values()].flatMap(groupsOfKernel);
  const shared = groupedBy(groups, ({ kernels, rule, later, looksLike, failing, judged }) =>
    rule === undefined && failing < judged ? kernels[0] : [rule, later, looksLike?.cause].join(' and '),
  );
  return [...shared.values()]
    .map((same) => same.reduce((one, other) => joined(one, other, cases)))
    .map((group) => ({ ...group, says: sayGroup(group) }));
}

/** Cases that rules are learnt from, at most so many that fail and that pass; what they say is counted among all. */
const LEARNT_FROM = 1000;

/** The groups of one kernel, what they say left out. */
function groupsOfKernel(judged: readonly Placed[]): FailureGroup[] {
  const cases = judged.map(({ result }) => ({
    all: flat(parseCase(result.case)),
    fails: result.verdict === 'fail',
  }));
  const total = cases.filter(({ fails }) => fails).length;
  const groups: FailureGroup[] = [];
  const add = (members: readonly number[], rule: readonly Pick<Clause, 'says'>[] = [], passing = 0) => {
    groups.push({
      ...{ kernels: [judged[0].result.kernel], says: '' },
      ...(rule.length === 0 ? {} : { rule: rule.map(({ says }) => says) }),
      ...{ later: groups.length > 0, failing: members.length, judged: cases.length, passing },
      apart: total - members.length,
      ...about(members.map((at) => judged[at])),
    });
  };
  const programs = [...cases.keys()].filter((at) => isProgram(cases[at]));
  const isAlone = (at: number) => !programs.includes(at);
  const areApart = cases.some((one, at) => one.fails && isAlone(at));
  let left = areApart ? [...cases.keys()].filter(isAlone) : [...cases.keys()];
  const failing = () => left.filter((at) => cases[at].fails);
  while (groups.length < MOST_GROUPS && failing().length > 1 && total < cases.length) {
    const rule = learn(left.map((at) => cases[at]));
    if (rule === undefined) break;
    const covered = left.filter((at) => rule.every(({ test }) => test(cases[at].all)));
    const members = covered.filter((at) => cases[at].fails);
    add(members, rule, covered.length - members.length);
    const isCovered = new Set(covered);
    left = left.filter((at) => !isCovered.has(at));
  }
  if (failing().length > 0) add(failing());
  const broken = areApart ? programs.filter((at) => cases[at].fails) : [];
  if (broken.length > 0) add(broken, [inProgram], programs.length - broken.length);
  return groups;
}

/** The products of a program have shapes of their own, so a program that fails says nothing of the shape of its case. */
const isProgram = ({ all }: Labelled): boolean => all.program > 0;

/** The clauses of the best rule of cases, in the order in which they are said; undefined where none says enough. */
function learn(cases: readonly Labelled[]): readonly Clause[] | undefined {
  const some = [true, false].flatMap((fails) => thinned(cases.filter((one) => one.fails === fails)));
  const clauses = clausesOf(some);
  const rule = bestRule(
    clauses,
    bitsOf(some.length, (at) => some[at].fails),
    bitsOf(some.length, () => true),
  );
  return rule && clauses.filter((clause) => rule.clauses.includes(clause));
}

/** Every so manieth of a list, where it is long. */
function thinned<T>(list: readonly T[]): T[] {
  const count = Math.min(list.length, LEARNT_FROM);
  return Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)]);
}

/** What cases that fail have in common beside a rule. */
function about(members: readonly Placed[]): Pick<FailureGroup, 'checks' | 'looksLike' | 'example' | 'cases'> {
  const failed = members.flatMap(({ result }) => result.checks.find(({ status }) => status === 'fail') ?? []);
  const named = failed.flatMap(({ looksLike }) => looksLike ?? []);
  const [commonest] = [...groupedBy(named, ({ cause }) => cause).values()].sort(
    (x, y) => y.length - x.length,
  );
  const smallest = members.reduce((one, other) => (sizeOfCase(other) < sizeOfCase(one) ? other : one));
  return {
    checks: Object.fromEntries(
      [...groupedBy(failed, ({ name }) => name)].map(([name, same]) => [name, same.length]),
    ),
    ...(commonest === undefined ? {} : { looksLike: { ...commonest[0], count: commonest.length } }),
    example: smallest.result.case,
    cases: members.map(({ place }) => place),
  };
}

const sizeOfCase = ({ result: { m, k, n } }: Pick<Placed, 'result'>): number => m * k + k * n + m * n;

/** One group of two, of which the same is to be said. */
function joined(one: FailureGroup, other: FailureGroup, cases: readonly Judged[]): FailureGroup {
  const places = [...one.cases, ...other.cases].sort((x, y) => x - y);
  return {
    ...one,
    kernels: [...one.kernels, ...other.kernels],
    failing: one.failing + other.failing,
    judged: one.judged + other.judged,
    passing: one.passing + other.passing,
    apart: one.apart + other.apart,
    ...about(places.map((place) => ({ result: cases[place], place }))),
  };
}
