import { fromJsonNumber } from '../base/numbers.ts';
import { toOneLine } from '../base/printable.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Grade, ReachedGrade } from '../evidence/grade.ts';
import type { JudgedEntry, JudgedProduct } from '../evidence/judge-product.ts';
import { formatCount, formatShort } from '../report/numbers.ts';
import { columnsOf, digitsCell, type Table } from '../report/table.ts';
import { terminalTable } from '../report/terminal/table.ts';
import { plainLook } from '../report/terminal/text.ts';
import type { RunOutcome } from '../run/judge.ts';
import type { GradedKernels, KernelTrial, NamedGrade } from './node/grade-kernels.ts';

/** Vitest's data on the test that calls a matcher. */
export interface MatcherState {
  readonly isNot?: boolean;
  readonly testPath?: string | undefined;
  readonly currentTestName?: string | undefined;
}

/** The result of a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Makes a result for the undecidable: it fails the assertion, and fails it under `not` as well. */
export const undecided = ({ isNot }: MatcherState, message: () => string): MatcherResult => ({
  pass: isNot === true,
  message,
});

/** Returns the text that names the command to run a matcher's test alone. */
export const replayOfTest = (state: MatcherState): string => `replay: ${commandOf(state)}`;

/**
 * Returns the command that runs one test, such as `npx vitest run src/gemm.test.ts -t 'multiplies'`. `PARANOIA_VITEST` replaces its first
 * three words, for a project whose Vitest has a config elsewhere.
 */
export function commandOf({ testPath, currentTestName }: MatcherState): string {
  const vitest = process.env.PARANOIA_VITEST || 'npx vitest run';
  const file =
    testPath === undefined ? '' : ` ${/^[\w./:\\-]+$/.test(testPath) ? testPath : `'${testPath}'`}`;
  // Vitest takes the name as a regular expression, and joins suites and tests by a space.
  const name = currentTestName?.replaceAll(' > ', ' ').replace(/[.*+?^${}()|[\]\\']/g, '.');
  return `${vitest}${file}${name === undefined ? '' : ` -t '${name}'`}`;
}

const look = { ...plainLook, width: 110 };
const linesOf = (table: Omit<Table, 'title'>): string[] => terminalTable({ title: '', ...table }, look);

/** Returns the message about one product: the reason, an aligned table of entries, and the sizes of the errors. */
export function productMessage(judged: JudgedProduct, replay: string): string {
  const { entries, wrong, reason, boundUsed, sigmas, evidence } = judged;
  const rest =
    wrong > entries.length ? [`… and ${wrong - entries.length} more (the largest errors are shown)`] : [];
  const { bits } = evidence.errors.exact;
  const expected = Number.isNaN(sigmas) ? '' : `, ${formatShort(sigmas)} of the expected error`;
  const sizes = `worst error: ${formatShort(boundUsed)} of its bound${expected}; ${bits.toFixed(1)} significant bits`;
  return [reason, '', ...entryTable(entries), ...rest, '', sizes, replay].join('\n');
}

/** Formats entries in aligned columns; the column of allowed errors is shown only where bounds are known. */
function entryTable(
  entries: readonly (Omit<JudgedEntry, 'allowed'> & { readonly allowed?: number })[],
): string[] {
  const known = entries.some(({ allowed }) => allowed !== undefined);
  const headings = ['entry', 'found', 'expected', 'error', ...(known ? ['allowed'] : [])];
  const rows = entries.map(({ i, j, found, expected, error, allowed }) => [
    `(${i}, ${j})`,
    ...[found, expected].map(String),
    ...[error, ...(known ? [allowed] : [])].map((value) => digitsCell(value)),
  ]);
  return linesOf({ columns: columnsOf('number', ...headings), rows });
}

/**
 * Returns the message about a gate: each case with an unexpected verdict, the worst entry of the first, and how to repeat them.
 * @param isNot true if the gate was expected to fail
 * @param command the command that runs the test alone
 */
export function gateMessage(judged: RunOutcome, isNot: boolean, command: string): string {
  const headline = `${judged.reason} On ${judged.machine.fingerprint.name}.`;
  const wrong = judged.cases.filter(
    ({ verdict, waiver }) => verdict !== (isNot ? 'fail' : 'pass') && waiver === undefined,
  );
  if (wrong.length === 0 || isNot) return [headline, `replay: ${command}`].join('\n');
  const bad = [...wrong].sort((x, y) => Number(y.verdict === 'fail') - Number(x.verdict === 'fail'));
  const some = bad.slice(0, SHOWN);
  const rest = bad.length > SHOWN ? [`… and ${formatCount(bad.length - SHOWN, 'more case')}`] : [];
  return [
    headline,
    '',
    ...caseTable(some),
    ...rest,
    ...worstEntry(some[0]),
    '',
    ...some.flatMap(({ case: text, after = [], reason }) => [
      toOneLine(reason, LONGEST),
      `  replay: toPassGate({ case: ${casesText([...after, text])} })`,
    ]),
    '',
    `replay: ${command}`,
  ].join('\n');
}

/** Formats cases: `'kernel=…'`, or several in a list. */
function casesText(texts: readonly string[]): string {
  const quoted = texts.map((text) => `'${text}'`);
  return quoted.length === 1 ? quoted[0] : `[${quoted.join(', ')}]`;
}

const SHOWN = 5;
const LONGEST = 400;

function caseTable(cases: readonly CaseResult[]): string[] {
  const columns = [
    ...columnsOf('text', 'case', 'verdict', 'check'),
    ...columnsOf('number', 'found', 'allowed'),
  ];
  const rows = cases.map((result) => {
    const { input, m, k, n, verdict } = result;
    const decisive = result.checks.find(({ status }) => status === verdict);
    const { name = 'runs', found, allowed } = decisive ?? {};
    return [`${input} ${m}×${k}×${n}`, verdict, name, digitsCell(found), digitsCell(allowed)];
  });
  return linesOf({ columns, rows });
}

/** The entry of a case that is furthest from the exact product; none if there was no product. */
function worstEntry({ exact, input, m, k, n }: CaseResult): string[] {
  const worst = exact?.worst;
  if (worst === undefined) return [];
  const [found, expected, error] = [worst.computed, worst.expected, worst.error].map(fromJsonNumber);
  const entry = { i: worst.i, j: worst.j, found, expected, error };
  return ['', `Worst entry of ${input} ${m}×${k}×${n}:`, ...entryTable([entry])];
}

/**
 * Returns the message about a kernel's grade: for each trial, the part used of what each grade allows; then evidence beyond the trials,
 * and the worst entry.
 */
export function gradeMessage(graded: GradedKernels, wanted: Grade, command: string): string {
  const { grade, trials, kernels, machine } = graded;
  const names = [...new Set(trials.map(({ kernel }) => kernel))].join(', ');
  const headline = `${names} ${sayGrade(grade)}; the test names grade ${wanted}. On ${machine}.`;
  const worst = trials.reduce((x, y) => (y.worst[wanted].ratio > x.worst[wanted].ratio ? y : x));
  return [
    headline,
    '',
    ...trialTable(trials),
    ...kernels.map(namedText),
    '',
    `Worst entry for grade ${wanted}, ${worst.operands}, ${worst.n}×${worst.n}×${worst.n}:`,
    ...entryTable([worst.worst[wanted]]),
    '',
    `replay: ${command}`,
  ].join('\n');
}

/** Evidence beyond single products: the grade that tests name, and the growth of errors. */
function namedText({ kernel, named, slope }: NamedGrade): string {
  const growth = slope === undefined ? '' : `; its errors grow as n^${slope.toFixed(2)} (grade A allows n^1)`;
  return `${kernel}: tests 2, 4 and 6 classify it as ${named}${growth}.`;
}

const sayGrade = (grade: ReachedGrade) => (grade === 'none' ? 'reaches no grade' : `reaches grade ${grade}`);

function trialTable(trials: readonly KernelTrial[]): string[] {
  const columns = [
    ...columnsOf('text', 'operands'),
    ...columnsOf('number', 'n', 'error / A', '/ B', '/ C'),
    ...columnsOf('text', 'grade'),
  ];
  const several = new Set(trials.map(({ kernel }) => kernel)).size > 1;
  const rows = trials.map(({ kernel, operands, n, worst, grade }) => [
    several ? `${kernel}: ${operands}` : operands,
    String(n),
    ...[worst.A, worst.B, worst.C].map(({ ratio }) => digitsCell(ratio)),
    grade,
  ]);
  return linesOf({ columns, rows });
}
