import { columnsOf, type Table } from '../../report/table.ts';
import type { Results } from '../../run/results.ts';

type Finding = NonNullable<Results['inspections']>[number]['findings'][number];

/** Tabulates the findings on a kernel, question by question. */
export function findingsTable(
  title: string,
  findings: readonly Pick<Finding, 'question' | 'answer' | 'confidence' | 'evidence'>[],
): Table {
  const rows = findings.map(({ question, answer, confidence, evidence }) => [
    question,
    answer,
    confidence,
    evidence,
  ]);
  return { title, columns: columnsOf('text', 'question', 'answer', 'confidence', 'evidence'), rows };
}
