import { EXIT } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { toOneLine } from '../../base/printable.ts';
import { compareKernels, describePrecisions, type KernelComparison } from '../../pages/compare.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { listRunDifferences, readResultsFile } from '../../pages/node/write-html.ts';
import { changedCases, comparisonTable } from '../../pages/sections/comparison.ts';
import { markdownSection, markdownTable, plainText } from '../../report/markdown/table.ts';
import { formatCount } from '../../report/numbers.ts';
import { firstRows, type Table } from '../../report/table.ts';
import { terminalTables } from '../../report/terminal/table.ts';
import { wrapText } from '../../report/terminal/text.ts';
import { differences, type NamedResults } from '../../run/same-kind.ts';
import type { CompareRequest } from '../options.ts';

/** The comparison of two runs, in any medium. */
interface Told {
  readonly verdict: string;
  /** Reasons why the comparison may be weak, a sentence each. */
  readonly doubts: readonly string[];
  readonly kernels: readonly KernelComparison[];
}

/**
 * Prints the changes between two results files.
 * @returns the exit code: that of a failure if the new run has failures that the old one lacks
 * @throws ParanoiaError `bad-results`, `newer-results`
 */
export async function runCompare(
  old: string,
  recent: string,
  { json, markdown }: CompareRequest,
): Promise<number> {
  const [before, after] = [await sourceOf(old), await sourceOf(recent)];
  const kernels = compareKernels(after.results, before.results);
  const failures = kernels.reduce(
    (sum, { newFailures, disproved }) => sum + newFailures.length + disproved.length,
    0,
  );
  const told = { kernels, verdict: verdictOf(before, after, failures), doubts: doubtsOf(before, after) };
  process.stdout.write(json === true ? asJson(told) : (markdown === true ? asMarkdown : asText)(told));
  return failures > 0 ? EXIT.fail : EXIT.pass;
}

/** Reads the results of a file. @throws ParanoiaError `bad-results`, `newer-results` */
export const sourceOf = async (file: string): Promise<NamedResults> => ({
  file,
  results: await readResultsFile(file, say),
});

function verdictOf(before: NamedResults, after: NamedResults, failures: number): string {
  const verdicts = [before, after].map(({ results }) => results.verdict);
  const change = verdicts[0] === verdicts[1] ? `still ${verdicts[1]}` : verdicts.join(' → ');
  const news = failures === 0 ? 'no new failure' : formatCount(failures, 'new failure');
  return `${news}; ${change} (exit code ${failures > 0 ? EXIT.fail : EXIT.pass}).`;
}

/** Lists the differences of two runs that weaken a comparison, a sentence each. */
export function doubtsOf(before: NamedResults, after: NamedResults): string[] {
  const differing = differences([before, after]).map(
    ({ what, values }) => `The runs differ in their ${what}: ${values[0]} before, ${values[1]} now.`,
  );
  return [
    ...listRunDifferences(after.results, before.results),
    ...differing,
    ...describePrecisions(after.results, before.results),
  ];
}

/** The most rows of the tables of cases and of kernels. */
const [MOST_CASES, MOST_KERNELS] = [10, 100];

function tablesOf(kernels: readonly KernelComparison[]): Table[] {
  const news = kernels.flatMap(({ newFailures }) => newFailures);
  const fixed = kernels.flatMap((one) => one.fixed);
  const claims = kernels.flatMap(({ kernel, disproved }) => disproved.map((why) => [kernel, why]));
  return [
    firstRows(changedCases(formatCount(news.length, 'new failure'), news), MOST_CASES),
    firstRows(changedCases(`${formatCount(fixed.length, 'failure')} fixed`, fixed), MOST_CASES),
    {
      title: formatCount(claims.length, 'disproved claim'),
      columns: ['kernel', 'why'].map((heading) => ({ heading, is: 'text' as const })),
      rows: claims,
    },
  ].filter(({ rows }) => rows.length > 0);
}

const asText = ({ kernels, ...told }: Told): string =>
  comparisonText([firstRows(comparisonTable(kernels), MOST_KERNELS), ...tablesOf(kernels)], told);

/** Renders the tables of a comparison for a terminal, with its doubts and its verdict below them. */
export function comparisonText(
  tables: readonly Table[],
  { doubts, verdict }: Pick<Told, 'doubts' | 'verdict'>,
): string {
  const look = lookFor(process.stdout);
  const lines = doubts.flatMap((doubt) => wrapText(toOneLine(doubt), look.width));
  return [
    terminalTables(tables, look).trimEnd(),
    lines.join('\n'),
    wrapText(capital(verdict), look.width).join('\n'),
  ]
    .filter((text) => text !== '')
    .map((text) => `${text}\n`)
    .join('\n');
}

function asMarkdown({ kernels, verdict, doubts }: Told): string {
  return [
    `## gemm-paranoia: ${plainText(verdict)}`,
    markdownTable(firstRows(comparisonTable(kernels), MOST_KERNELS)),
    ...tablesOf(kernels).map((table) => markdownSection(table, 3)),
    ...doubts.map(plainText),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Returns a sentence with a capital letter. */
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function asJson({ kernels, verdict, doubts }: Told): string {
  const texts = (cases: KernelComparison['fixed']) => cases.map((result) => result.case);
  const all = kernels.map((one) => ({
    ...one,
    ...{ newFailures: texts(one.newFailures), fixed: texts(one.fixed) },
    others: one.others.map(({ before, after }) => ({
      ...{ case: after.case, before: before.verdict, after: after.verdict },
    })),
  }));
  return `${JSON.stringify({ verdict, doubts, kernels: all }, undefined, 2)}\n`;
}
