import { group as groupedBy } from 'd3-array';
import type { CaseResult } from '../../evidence/case-result.ts';
import { type Case, flat, parseCase } from '../../problem/case.ts';
import { bitsOf } from './bits.ts';
import { type Clause, clausesOf, type Labelled } from './clauses.ts';
import type { FailureGroup } from './group.ts';
import { bestRule } from './rule.ts';
import { sayGroup } from './say-group.ts';
import { inProgram } from './traits.ts';

/** What groups are made of. */
export type Judged = Pick<
  CaseResult,
  'case' | 'kernel' | 'verdict' | 'waived' | 'after' | 'checks' | 'm' | 'k' | 'n'
>;

/** A case, and its place in the run. */
interface Placed {
  readonly result: Judged;
  readonly place: number;
}

/** Groups of one kernel at most; what is left is one more. */
const MOST_GROUPS = 4;

/** What keeps a smaller example of a group from being one of another bug. */
export interface Bounds {
  /**
   * True of a case that may be one of the group: all of its rule is true of it but for the ends of ranges, which are known as far as
   * cases tell, and no group's rule that comes before it, nor, beyond those ends, behind it.
   */
  readonly holds: (value: Case) => boolean;
  /** The mistakes that failures of the run look like. */
  readonly mistakes: ReadonlySet<string>;
}

/** Groups, and the bounds of each at the same place. */
export interface FoundGroups {
  readonly groups: FailureGroup[];
  readonly bounds: readonly Bounds[];
}

interface RuledGroup extends FailureGroup {
  readonly clauses: readonly Told[];
  readonly holds: Bounds['holds'];
}

/** A clause of a rule. */
type Told = Pick<Clause, 'says' | 'test' | 'isEnd'>;

/** {@link findGroups} without bounds. */
export const groupFailures = (cases: readonly Judged[]): FailureGroup[] => findGroups(cases).groups;

/**
 * Groups the failures of a run by what they share: for each kernel the rule that tells failing cases best from those that
 * pass, then the one that tells the rest best, and so on. What no rule tells is a group without one. Kernels of which the same is
 * to be said share a group. Waived failures and what could not be judged are left out.
 */
export function findGroups(cases: readonly Judged[]): FoundGroups {
  const judged = cases
    .map((result, place): Placed => ({ result, place }))
    .filter(({ result: { verdict, waived } }) => verdict !== 'inconclusive' && waived === undefined);
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

/** The mistake that a failing case looks like, if one is known. */
export const mistakeOf = ({ checks }: Pick<Judged, 'checks'>): string | undefined =>
  checks.find(({ status }) => status === 'fail')?.looksLike?.cause;

/** Cases that rules are learnt from, at most so many that fail and that pass; what they say is counted among all. */
const LEARNT_FROM = 1000;

/** The groups of one kernel, what they say left out. */
function groupsOfKernel(judged: readonly Placed[]): RuledGroup[] {
  const cases = judged.map(({ result }) => ({
    all: flat(parseCase(result.case)),
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

/** {@link Bounds.holds} of the group at a place of those of a kernel. */
function isWithin(groups: readonly RuledGroup[], at: number, value: Case): boolean {
  const all = flat(value);
  const isTrue = ({ clauses }: RuledGroup) => clauses.length > 0 && clauses.every(({ test }) => test(all));
  const { clauses } = groups[at];
  const others = groups.filter(
    (_, place) => place < at || (place > at && !clauses.every(({ test }) => test(all))),
  );
  return clauses.every(({ test, isEnd }) => isEnd === true || test(all)) && !others.some(isTrue);
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
  const smallest = members.reduce((one, other) => (isPlainer(other, one) ? other : one));
  const isMost = commonest !== undefined && 2 * commonest.length > members.length;
  return {
    checks: Object.fromEntries(
      [...groupedBy(failed, ({ name }) => name)].map(([name, same]) => [name, same.length]),
    ),
    ...(isMost ? { looksLike: { ...commonest[0], count: commonest.length } } : {}),
    example: smallest.result.case,
    cases: members.map(({ place }) => place),
  };
}

/** True if a case is the better example: asked for once and alone where the other is not, else smaller. */
function isPlainer(one: Placed, other: Placed): boolean {
  const [first, second] = [isOnce(one), isOnce(other)];
  return first === second ? sizeOfCase(one) < sizeOfCase(other) : first;
}

function isOnce({ result }: Placed): boolean {
  const { repeats, program } = parseCase(result.case).problem;
  return repeats === 1 && program === 0 && result.after === undefined;
}

const sizeOfCase = ({ result: { m, k, n } }: Pick<Placed, 'result'>): number => m * k + k * n + m * n;

/** One group of two, of which the same is to be said. */
function joined(one: RuledGroup, other: RuledGroup, cases: readonly Judged[]): RuledGroup {
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
