import type { CaseResult } from '../../src/evidence/case-result.ts';
import { markdownTable } from '../../src/report/markdown/table.ts';
import { formatDuration } from '../../src/report/numbers.ts';
import { columnsOf } from '../../src/report/table.ts';
import type { Results } from '../../src/run/results.ts';

/** A row about each run, compared with the first. */
type Row = readonly [heading: string, of: (run: Results, first: Results) => string];

const rows: readonly Row[] = [
  ['implementation', ({ adapter }) => adapter.dawn],
  ['adapter', ({ adapter }) => `${adapter.name} (${adapter.kind})`],
  ['driver', ({ adapter }) => adapter.driver],
  ['cases', ({ summary }) => String(summary.run)],
  ['pass', ({ summary }) => String(summary.pass)],
  ['equal to the model', ({ summary }) => `${summary.equalToModel} of ${summary.comparedWithModel}`],
  ['not among its cases', (run, first) => String(first.cases.length - pairs(run, first).length)],
  ['another verdict', (run, first) => differing(run, first, ({ verdict }) => verdict)],
  ['other errors, updates in any order', (run, first) => differing(run, first, errorsOf, isUnordered)],
  ['other errors, all else', (run, first) => differing(run, first, errorsOf, (one) => !isUnordered(one))],
  [
    'another last place of bits lost',
    (run, first) => differing(run, first, bitsOf, (one) => !isUnordered(one)),
  ],
  ['another leaf kernel', (run, first) => differing(run, first, ({ leafKernel }) => leafKernel)],
  ['arithmetic', ({ arithmetic }, first) => (isSame(arithmetic, first.arithmetic) ? 'the same' : 'another')],
  ['answers to the probe', otherAnswers],
  [
    'features that it lacks',
    ({ adapter }, first) => listed(without(first.adapter.features, adapter.features)),
  ],
  ['time', ({ summary }) => formatDuration(summary.seconds)],
  ['date', ({ createdAt }) => createdAt.slice(0, 10)],
];

/** A Markdown table of runs of the same gate; the others are compared with the first. */
export function comparison(runs: readonly Results[]): string {
  const [first] = runs;
  return markdownTable({
    title: '',
    columns: columnsOf('text', 'what', ...runs.map(({ adapter: { dawn } }) => dawn.replace(/ .*/, ''))),
    rows: rows.map(([heading, of]) => [heading, ...runs.map((run) => of(run, first))]),
  });
}

/** Cases that both runs have. */
function pairs(run: Results, first: Results): (readonly [CaseResult, CaseResult])[] {
  const known = new Map(first.cases.map((one) => [one.case, one]));
  return run.cases.flatMap((one) => {
    const other = known.get(one.case);
    return other === undefined ? [] : [[one, other] as const];
  });
}

/** The number of cases, among some, that differ in a property. */
function differing(
  run: Results,
  first: Results,
  of: (one: CaseResult) => unknown,
  among: (one: CaseResult) => boolean = () => true,
): string {
  const others = pairs(run, first).filter(([one, other]) => among(one) && !isSame(of(one), of(other)));
  return String(others.length);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** True if sums of blocks are added in the order in which invocations arrive. */
const isUnordered = ({ kernel }: CaseResult): boolean => kernel.endsWith(':fused-atomic');

function errorsOf({ exact }: CaseResult): unknown {
  const { bits: _, ...errors } = exact ?? { bits: 0 };
  return errors;
}

const bitsOf = ({ exact }: CaseResult): unknown => exact?.bits;

function otherAnswers({ probe = [] }: Results, first: Results): string {
  const known = new Map((first.probe ?? []).map(({ id, answer }) => [id, answer]));
  const others = probe.filter(({ id, answer }) => known.get(id) !== answer);
  if (others.length === 0) return `all ${probe.length} the same`;
  return others.map(({ question, answer }) => `${question}: ${answer}`).join('; ');
}

const without = (all: readonly string[], some: readonly string[]) => all.filter((one) => !some.includes(one));
const listed = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));
