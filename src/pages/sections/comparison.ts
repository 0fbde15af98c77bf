import type { CaseResult } from '../../evidence/case-result.ts';
import { formatCount } from '../../report/numbers.ts';
import {
  columnsOf,
  countCell,
  digitsCell,
  type Table,
  type TableCell,
  type Tone,
  tonedCell,
} from '../../report/table.ts';
import { caseInWords } from '../case-words.ts';
import { type ErrorChangeWord, type KernelComparison, RULE } from '../compare.ts';

const TONES: Readonly<Record<ErrorChangeWord, Tone | undefined>> = {
  worse: 'bad',
  improved: 'good',
  'no change': undefined,
  'too few': 'faint',
};

/** Tabulates, for each kernel, the change of its mean errors and of its cases. */
export function comparisonTable(kernels: readonly KernelComparison[]): Table {
  const columns = [
    ...columnsOf('text', 'kernel'),
    ...columnsOf('number', 'common cases', 'new / old', '95 % interval'),
    ...columnsOf('text', 'mean error', 'cases'),
  ];
  const rows = kernels.map(({ kernel, common, meanError, ...changes }): TableCell[] => [
    ...[kernel, countCell(common), digitsCell(meanError.ratio, 4), intervalOf(meanError.interval)],
    ...[tonedCell(meanError.says, TONES[meanError.says]), changesOf(changes)],
  ]);
  return { title: 'Changes', columns, rows, note: RULE };
}

const intervalOf = (interval: readonly [number, number] | undefined): string =>
  interval === undefined ? '–' : interval.map((end) => end.toPrecision(4)).join(' to ');

/** Describes the changes of a kernel's cases. */
function changesOf(changes: Omit<KernelComparison, 'kernel' | 'common' | 'meanError'>): TableCell {
  const { newFailures, fixed, others, added, missing, disproved } = changes;
  const said = [
    [newFailures.length, 'new failure'],
    [disproved.length, 'disproved claim'],
    [fixed.length, 'fixed'],
    [others.length, 'changed verdict'],
    [added, 'only in the new run'],
    [missing, 'only in the old run'],
  ] as const;
  const words = said
    .filter(([many]) => many > 0)
    .map(([many, what]) => (PLURALS.includes(what) ? formatCount(many, what) : `${many} ${what}`));
  const isWorse = newFailures.length + disproved.length > 0;
  return tonedCell(words.join(', '), isWorse ? 'bad' : fixed.length > 0 ? 'good' : undefined);
}

const PLURALS: readonly string[] = ['new failure', 'disproved claim', 'changed verdict'];

/** Tabulates cases under a title, each with the reason of its verdict and its replay command. */
export function changedCases(title: string, cases: readonly CaseResult[]): Table {
  const rows = cases.map(({ kernel, case: text, reason, replay }) => [
    ...[kernel, caseInWords(text), reason, replay],
  ]);
  const columns = [...columnsOf('text', 'kernel', 'case', 'why'), ...columnsOf('code', 'replay')];
  return { title, columns, rows };
}
