import { group as groupedBy } from 'd3-array';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { LikelyCause } from '../../evidence/causes/recognize.ts';
import { type Case, flattenCase, parseCase } from '../../problem/case.ts';
import { type FailureGroup, sayGroup } from './group.ts';
import { bestRule, type Clause, clausesOf, type LabeledCase, makeCaseSet } from './rule.ts';

import { inProgram } from './traits.ts';

/** Fields of a case result that grouping needs. */
export type GroupableResult = Pick<
  CaseResult,
  'case' | 'kernel' | 'verdict' | 'waiver' | 'after' | 'checks' | 'm' | 'k' | 'n'
>;

/** A case, and its place in the run. */
interface Placed {
  readonly result: GroupableResult;
  readonly place: number;
}

/** Most groups of one kernel. The remaining failures form one more. */
const MOST_GROUPS = 4;

/** Constraints that keep a smaller example of a group within the same bug. */
export interface GroupConstraints {
  /**
   * True if a case may belong to the group. All clauses of the group's rule hold, except ends of ranges, which are known only as far
   * as cases show. No rule of an earlier group holds. Beyond those ends, no rule of a later group holds either.
   */
  readonly holds: (value: Case) => boolean;
  /** The mistakes that the failures of the run look like. */
  readonly mistakes: ReadonlySet<string>;
}

/** Groups, with the bounds of each at the same index. */
export interface FoundGroups {
  readonly groups: FailureGroup[];
  readonly bounds: readonly GroupConstraints[];
}

interface RuledGroup extends FailureGroup {
  readonly clauses: readonly Told[];
  readonly holds: GroupConstraints['holds'];
}

type Told = Pick<Clause, 'says' | 'test' | 'isEnd'>;

/** Returns the groups of {@link findGroups} without bounds. */
export const groupFailures = (cases: readonly GroupableResult[]): FailureGroup[] => findGroups(cases).groups;

/**
 * Groups the failures of a run by what they share. For each kernel, the first rule is the one that best separates failing from passing
 * cases, the second does so for the rest, and so on. Failures without a rule form one group. Kernels with the same description share a
 * group. Waived failures and inconclusive cases are left out.
 */
export function findGroups(cases: readonly GroupableResult[]): FoundGroups {
  const judged = cases
    .map((result, place): Placed => ({ result, place }))
    .filter(({ result: { verdict, waiver } }) => verdict !== 'inconclusive' && waiver === undefined);
  const groups = [...groupedBy(judged, ({ result }) => result.kernel).values()].flatMap(groupsOfKernel);
  const shared = groupedBy(groups, ({ kernels, rule, later, looksLike, failing, judged }) =>
    rule === undefined && failing < judged ? kernels[0] : [rule, later, looksLike?.cause].join(' and '),
  );
  const mistakes = new Set(judged.flatMap(({ result }) => mistakeOf(result) ?? []));
  const found = [...shared.values()].map((same) => same.reduce((one, other) => joined(one, other, cases)));
  return {
    groups: found.map(({ holds: _, clauses: __, ...group }) => ({ ...group, says: sayGroup(group) })),
    bounds: found.map(({ holds }) => ({ holds, mistakes })),
  };
}

/** Returns the known mistake that a failing case looks like, if there is one. */
export const mistakeOf = (result: Pick<GroupableResult, 'checks'>): string | undefined =>
  likenessIn(result)?.cause;

const likenessIn = ({ checks }: Pick<GroupableResult, 'checks'>): LikelyCause | undefined =>
  checks.find(({ status }) => status === 'fail')?.looksLike;

/** Most failing and most passing cases from which rules are learned. Counts are over all cases. */
const LEARNT_FROM = 1000;

/** Returns the groups of one kernel, without their descriptions. */
function groupsOfKernel(judged: readonly Placed[]): RuledGroup[] {
  const cases = judged.map(({ result }) => ({
    all: flattenCase(parseCase(result.case)),
    fails: result.verdict === 'fail',
  }));
  const total = cases.filter(({ fails }) => fails).length;
  const groups: RuledGroup[] = [];
  const add = (members: readonly number[], rule: readonly Told[] = [], passing = 0) => {
    const at = groups.length;
    groups.push({
      ...{ clauses: rule, holds: (value) => isWithin(groups, at, value) },
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
  if (broken.length > 0)
    add(broken, [{ ...inProgram, test: inProgram.holds }], programs.length - broken.length);
  return groups;
}

/** True if a case is a program or a sweep. Their products have shapes of their own, so a failure says nothing about the shape of the case. */
const isProgram = ({ all }: LabeledCase): boolean => inProgram.holds(all);

/** Returns the clauses of the best rule, in the order of the sentence; undefined where no rule says enough. */
function learn(cases: readonly LabeledCase[]): readonly Clause[] | undefined {
  const some = [true, false].flatMap((fails) => thinned(cases.filter((one) => one.fails === fails)));
  const clauses = clausesOf(some);
  const rule = bestRule(
    clauses,
    makeCaseSet(some.length, (at) => some[at].fails),
    makeCaseSet(some.length, () => true),
  );
  return rule && clauses.filter((clause) => rule.clauses.includes(clause));
}

/** Implements {@link GroupConstraints.holds} for the group at an index among those of a kernel. */
function isWithin(groups: readonly RuledGroup[], at: number, value: Case): boolean {
  const all = flattenCase(value);
  const isTrue = ({ clauses }: RuledGroup) => clauses.length > 0 && clauses.every(({ test }) => test(all));
  const { clauses } = groups[at];
  const others = groups.filter(
    (_, place) => place < at || (place > at && !clauses.every(({ test }) => test(all))),
  );
  return clauses.every(({ test, isEnd }) => isEnd === true || test(all)) && !others.some(isTrue);
}

/** Thins a long list evenly. */
function thinned<T>(list: readonly T[]): T[] {
  const count = Math.min(list.length, LEARNT_FROM);
  return Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)]);
}

/** Describes what failing cases have in common besides a rule. */
function about(members: readonly Placed[]): Pick<FailureGroup, 'checks' | 'looksLike' | 'example' | 'cases'> {
  const failed = members.flatMap(({ result }) => result.checks.find(({ status }) => status === 'fail') ?? []);
  const named = failed.flatMap(({ looksLike }) => looksLike ?? []);
  const [commonest] = [...groupedBy(named, ({ cause }) => cause).values()].sort(
    (x, y) => y.length - x.length,
  );
  const smallest = members.reduce((one, other) => (isPlainer(other, one) ? other : one));
  const isMost = commonest !== undefined && 2 * commonest.length > members.length;
  return {
    checks: Object.fromEntries(
      [...groupedBy(failed, ({ name }) => name)].map(([name, same]) => [name, same.length]),
    ),
    ...(isMost ? { looksLike: { ...likenessOf(members, commonest[0].cause), count: commonest.length } } : {}),
    example: smallest.result.case,
    cases: members.map(({ place }) => place),
  };
}

/** Returns the mistake as the smallest of the cases that look like it shows it; the others may show it with other numbers. */
function likenessOf(members: readonly Placed[], cause: string): LikelyCause {
  const alike = members.filter(({ result }) => mistakeOf(result) === cause);
  const smallest = alike.reduce((one, other) => (isPlainer(other, one) ? other : one));
  const { says } = likenessIn(smallest.result) as LikelyCause;
  const isSame = alike.every(({ result }) => likenessIn(result)?.says === says);
  return { cause, says: isSame ? says : `${says}, or a related mistake` };
}

/** True if a case is the better example: a single product computed alone where the other is not, else the smaller one. */
function isPlainer(one: Placed, other: Placed): boolean {
  const [first, second] = [isOnce(one), isOnce(other)];
  return first === second ? sizeOfCase(one) < sizeOfCase(other) : first;
}

function isOnce({ result }: Placed): boolean {
  const { repeats, program, sweep } = parseCase(result.case).problem;
  return repeats === 1 && program + sweep === 0 && result.after === undefined;
}

const sizeOfCase = ({ result: { m, k, n } }: Pick<Placed, 'result'>): number => m * k + k * n + m * n;

function joined(one: RuledGroup, other: RuledGroup, cases: readonly GroupableResult[]): RuledGroup {
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
