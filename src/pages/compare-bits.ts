import { group } from 'd3-array';
import { fromJsonNumber } from '../base/numbers.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { formatCount, formatShort } from '../report/numbers.ts';
import { columnsOf, countCell, type Table, tallyCell } from '../report/table.ts';
import { sayGroup } from '../run/groups/group.ts';
import { groupFailures } from '../run/groups/group-failures.ts';
import type { Results } from '../run/results.ts';
import { caseInWords } from './case-words.ts';
import { type CasePair, compareRuns, pairCases } from './compare.ts';

/**
 * The outcome for a case of both runs: the same bits; another product of the same operands; other operands, whose products say nothing; a
 * product in one run alone; no digest in either.
 */
export type BitsOutcome = 'identical' | 'differing' | 'other operands' | 'one product' | 'no digest';

/** The largest difference of two products in any entry lies between these two numbers, as far as their errors show. */
interface DifferenceRange {
  readonly atLeast: number;
  readonly atMost: number;
}

interface DifferingCase extends CasePair {
  /** Absent where errors are infinite, or not every entry was compared with the exact product. */
  readonly difference?: DifferenceRange;
}

/** Differing cases that have something in common. */
interface DifferingGroup {
  readonly kernels: readonly string[];
  /** "35 of 120 cases differed, exactly those with k ≡ 1 mod 16". */
  readonly says: string;
  readonly count: number;
  /** The smallest case. */
  readonly example: string;
  /** The largest of the differences that are known. */
  readonly difference?: DifferenceRange;
}

/** The order of sums of one length that inspections of both runs found, in words. */
interface OrderPair {
  readonly kernel: string;
  readonly k: number;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

interface KernelBits {
  readonly kernel: string;
  readonly counts: Readonly<Record<BitsOutcome, number>>;
  /** Cases that only one of the runs has. */
  readonly onlyBefore: number;
  readonly onlyAfter: number;
}

export interface BitsComparison {
  readonly kernels: readonly KernelBits[];
  readonly differing: readonly DifferingCase[];
  readonly groups: readonly DifferingGroup[];
  readonly otherOperands: readonly CaseResult[];
  readonly oneProduct: readonly CaseResult[];
  /** Orders of the kernels that differ, where both runs inspected them. */
  readonly orders: readonly OrderPair[];
}

/** Compares the digests of two runs, case by case. */
export function compareBits(after: Results, before: Results): BitsComparison {
  const { added, missing } = compareRuns(after, before);
  const outcomes = group(pairCases(after, before), outcomeOf);
  const having = (outcome: BitsOutcome) => outcomes.get(outcome) ?? [];
  const differing = having('differing').map(differingCase);
  const names = new Set([...after.cases, ...before.cases].map(({ kernel }) => kernel));
  const counted = (kernel: string, cases: readonly CaseResult[]) =>
    cases.filter((result) => result.kernel === kernel).length;
  const kernels = [...names].map((kernel): KernelBits => {
    const count = (outcome: BitsOutcome) =>
      counted(
        kernel,
        having(outcome).map((pair) => pair.after),
      );
    return {
      kernel,
      counts: {
        identical: count('identical'),
        differing: count('differing'),
        'other operands': count('other operands'),
        'one product': count('one product'),
        'no digest': count('no digest'),
      },
      onlyBefore: counted(kernel, missing),
      onlyAfter: counted(kernel, added),
    };
  });
  return {
    ...{ kernels, differing, groups: groupsOf(having('identical'), differing) },
    otherOperands: having('other operands').map((pair) => pair.after),
    oneProduct: having('one product').map((pair) => pair.after),
    orders: ordersOf(after, before, new Set(differing.map((one) => one.after.kernel))),
  };
}

function outcomeOf({ before, after }: CasePair): BitsOutcome {
  const [old, recent] = [before.bits, after.bits];
  if (old === undefined && recent === undefined) return 'no digest';
  if (old === undefined || recent === undefined) return 'one product';
  if (old.operands !== recent.operands) return 'other operands';
  return old.d === recent.d ? 'identical' : 'differing';
}

function differingCase(pair: CasePair): DifferingCase {
  const difference = differenceOf(pair);
  return difference === undefined ? pair : { ...pair, difference };
}

/** Returns the range of the largest difference, by the triangle inequality about the exact product. */
function differenceOf({ before, after }: CasePair): DifferenceRange | undefined {
  const isWhole = [before, after].every(({ checkedShare = 1 }) => checkedShare === 1);
  if (!isWhole || before.exact === undefined || after.exact === undefined) return undefined;
  const [old, recent] = [before.exact, after.exact];
  const [x, y] = [old, recent].map(({ maxError }) => fromJsonNumber(maxError));
  if (!Number.isFinite(x + y)) return undefined;
  const [one, other] = [old.worst, recent.worst];
  const isSameEntry = one !== undefined && one.i === other?.i && one.j === other.j;
  const seen = isSameEntry
    ? Math.abs(fromJsonNumber(one.computed) - fromJsonNumber(other?.computed ?? 0))
    : 0;
  return { atLeast: Math.max(seen, Math.abs(x - y)), atMost: x + y };
}

/** Groups differing cases as failures of a run are grouped: identical ones stand for those that pass. */
function groupsOf(identical: readonly CasePair[], differing: readonly DifferingCase[]): DifferingGroup[] {
  const labeled = [
    ...differing.map(({ after }) => ({ ...after, verdict: 'fail' as const })),
    ...identical.map(({ after }) => ({ ...after, verdict: 'pass' as const })),
  ].map(({ waiver: _, ...result }) => ({ ...result, checks: [] }));
  return groupFailures(labeled).map((found) => {
    const difference = found.cases
      .map((at) => differing[at].difference)
      .reduce((most, one) => ((one?.atMost ?? -1) > (most?.atMost ?? -1) ? one : most), undefined);
    return {
      ...{ kernels: found.kernels, says: sayGroup(found, 'differed') },
      ...{ count: found.failing, example: found.example },
      ...(difference === undefined ? {} : { difference }),
    };
  });
}

function ordersOf(after: Results, before: Results, kernels: ReadonlySet<string>): OrderPair[] {
  const [now, then] = [after, before].map(orderWords);
  return [...kernels].flatMap((kernel) => {
    const [recent, old] = [now.get(kernel), then.get(kernel)];
    if (recent === undefined || old === undefined) return [];
    const lengths = [...new Set([...old.keys(), ...recent.keys()])].sort((x, y) => x - y);
    return lengths.map((k) => ({ kernel, k, before: old.get(k), after: recent.get(k) }));
  });
}

/** Returns the words for each kernel's order of sums, by their lengths. */
const orderWords = ({ inspections = [] }: Results): ReadonlyMap<string, ReadonlyMap<number, string>> =>
  new Map(
    inspections.map(({ kernel, measures: { orders = [] } }) => [
      kernel,
      new Map(orders.map(({ k, words }) => [k, words])),
    ]),
  );

/** Meaning of the ranges of differences, as a sentence for readers. */
const RANGE = 'Worst difference: the largest of any entry, bounded by the errors of both products.';

/** Tabulates the comparison of two runs' bits; tables without rows are left out. */
export const bitsTables = ({ kernels, ...found }: BitsComparison): Table[] =>
  [
    countsTable(kernels),
    groupsTable(found.groups),
    differingTable(found.differing),
    casesTable('with other operands: their products cannot be compared', found.otherOperands),
    casesTable('with a product in one run alone', found.oneProduct),
    ordersTable(found.orders),
  ].filter(({ rows }) => rows.length > 0);

function countsTable(kernels: readonly KernelBits[]): Table {
  const headings = [
    ...['identical', 'differing', 'other operands', 'one product', 'no digest'],
    ...['only before', 'only after'],
  ];
  const rows = kernels.map(({ kernel, counts, onlyBefore, onlyAfter }) => [
    ...[kernel, countCell(counts.identical), tallyCell(counts.differing, 'bad')],
    ...[tallyCell(counts['other operands'], 'unsure'), tallyCell(counts['one product'], 'bad')],
    ...[counts['no digest'], onlyBefore, onlyAfter].map((count) => tallyCell(count, 'unsure')),
  ]);
  return {
    title: 'Cases by their bits',
    columns: [...columnsOf('text', 'kernel'), ...columnsOf('number', ...headings)],
    rows,
  };
}

function groupsTable(groups: BitsComparison['groups']): Table {
  const rows = groups.map(({ kernels, says, difference, example }) => [
    ...[kernels.join(', '), says, rangeOf(difference), example],
  ]);
  const columns = [
    ...columnsOf('text', 'kernel', 'differences', 'worst difference'),
    ...columnsOf('code', 'smallest case'),
  ];
  return { title: 'Differing cases by what they share', columns, rows, note: RANGE };
}

function differingTable(differing: readonly DifferingCase[]): Table {
  const rows = differing.map(({ before, after, difference }) => [
    ...[after.kernel, caseInWords(after.case), rangeOf(difference)],
    ...[before, after].map(({ bits }) => bits?.d.slice(0, 8) ?? ''),
  ]);
  const columns = [
    ...columnsOf('text', 'kernel', 'case', 'worst difference'),
    ...columnsOf('code', 'D before', 'D after'),
  ];
  return { title: formatCount(rows.length, 'differing case'), columns, rows };
}

function casesTable(what: string, cases: readonly CaseResult[]): Table {
  const rows = cases.map(({ kernel, case: text }) => [kernel, caseInWords(text)]);
  return {
    title: `${formatCount(rows.length, 'case')} ${what}`,
    columns: columnsOf('text', 'kernel', 'case'),
    rows,
  };
}

function ordersTable(orders: BitsComparison['orders']): Table {
  const rows = orders.map(({ kernel, k, before = '–', after = '–' }) => [
    kernel,
    countCell(k),
    before,
    after,
  ]);
  const columns = [
    ...[...columnsOf('text', 'kernel'), ...columnsOf('number', 'terms')],
    ...columnsOf('text', 'before', 'after'),
  ];
  return { title: 'Order of sums, by inspection', columns, rows };
}

function rangeOf(difference: DifferenceRange | undefined): string {
  if (difference === undefined) return 'unknown';
  const { atLeast, atMost } = difference;
  if (atMost === 0) return '0: signs of zeros, or NaNs';
  return atLeast === 0
    ? `at most ${formatShort(atMost)}`
    : `${formatShort(atLeast)} to ${formatShort(atMost)}`;
}
