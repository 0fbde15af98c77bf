import { createRequire } from 'node:module';
import type { Builder, TestCase, TestSuite } from 'junit-report-builder';
import { escapeControls, toOneLine } from '../../base/printable.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { formatMagnitude, formatShort } from '../../report/numbers.ts';
import { plainLook } from '../../report/terminal/text.ts';
import type { Results } from '../../run/results.ts';
import { type GroupView, groupsByPlace, groupVersions, headlineOf, listFailureGroups } from '../failure.ts';
import { type CaseStanding, standingOf, whyWaived } from '../standing.ts';
import { verdictSentence } from '../verdict.ts';

const require = createRequire(import.meta.url);

/**
 * Renders the results as JUnit XML: a suite for each kernel and a test for each case, named by its replay handle, and one test for the
 * verdict of the run. The test of a group's example describes the group. Inconclusive and waived cases are skipped tests, never passed
 * ones. A waived case as a failure would turn a job red whose gate passes. CI servers show why a test was skipped.
 */
export function junitReport(results: Results): string {
  // The builder is loaded on demand: it takes longer to load than the rest of the reports together.
  const builder: Builder = require('junit-report-builder');
  const report = builder.newBuilder().name('gemm-paranoia');
  const run = suite(report, 'gemm-paranoia', results);
  for (const [name, value] of properties(results)) run.property(name, xmlText(value));
  settle(run.testCase().name('verdict').className('gemm-paranoia'), results.verdict, {
    message: verdictSentence(results),
    details: verdictSentence(results),
  });
  const kernels = new Map<string, TestSuite>();
  const groups = groupsByPlace(results);
  const examples = new Map(listFailureGroups(results).map((group) => [group.example, group]));
  for (const [at, result] of results.cases.entries()) {
    const into = kernels.get(result.kernel) ?? suite(report, result.kernel, results);
    kernels.set(result.kernel, into);
    const test = into
      .testCase()
      .name(xmlText(toOneLine(result.case)))
      .className(xmlText(toOneLine(result.kernel)));
    test.time(result.seconds ?? 0);
    const standing = standingOf(result);
    const message = standing === 'waived' ? whyWaived(result) : result.reason;
    const group = groups.get(at);
    const shown = examples.get(result);
    const about =
      shown !== undefined && group !== undefined ? wholeGroup(shown) : group && [headlineOf(group)];
    const details = [describeCase(result), ...(about ?? [])].join('\n');
    settle(test, standing, { message, details });
  }
  return report.build();
}

/** Returns the text of a group for the test of its example. Other tests have only its headline. */
const wholeGroup = (group: GroupView): string[] => groupVersions(group, plainLook).at(-1)?.slice(1) ?? [];

function suite(report: Builder, name: string, { createdAt }: Results): TestSuite {
  return report
    .testSuite()
    .name(xmlText(toOneLine(name)))
    .timestamp(xmlText(toOneLine(createdAt)));
}

function properties({ adapter, version, command, seed, summary }: Results): [string, string][] {
  const run = { version, command, seed, planned: summary.planned, run: summary.run };
  return [
    ...Object.entries(run).map(([key, value]): [string, string] => [key, String(value)]),
    ...Object.entries(adapter).map(([key, value]): [string, string] => [`adapter.${key}`, String(value)]),
  ];
}

interface Account {
  readonly message: string;
  readonly details: string;
}

const skip = (test: TestCase, { message, details }: Account) => {
  skipBecause(test, xmlText(toOneLine(message)));
  test.standardOutput(xmlData(details));
};

const settlers: Readonly<Record<CaseStanding, (test: TestCase, account: Account) => void>> = {
  pass: () => undefined,
  fail: (test, { message, details }) => {
    test.failure(xmlText(toOneLine(message)), 'accuracy').stacktrace(xmlData(details));
  },
  inconclusive: skip,
  waived: skip,
};

function settle(test: TestCase, standing: CaseStanding, account: Account): void {
  settlers[standing](test, account);
}

// The package writes <skipped/> without the message that CI servers show.
function skipBecause(test: TestCase, reason: string): void {
  const build = test.skipped().build.bind(test);
  test.build = (parent) => {
    const element = build(parent);
    for (const child of element.children)
      if ('name' in child && child.name === 'skipped') {
        (child as typeof element).att('message', reason);
      }
    return element;
  };
}

function describeCase({ reason, checks, replay }: CaseResult): string {
  const lines = checks
    .filter(({ status }) => status === 'fail' || status === 'inconclusive')
    .map(
      ({ name, status, found, allowed, message }) =>
        `${name}: ${status}, found ${formatMagnitude(found)}, allowed ${formatShort(allowed)}: ${message}`,
    );
  return [reason, ...lines, `replay: ${replay}`].join('\n');
}

const NOT_XML = /[\ufffe\uffff]/g;

/** Returns the text without the characters that XML cannot represent. */
function xmlText(text: string): string {
  return escapeControls(text).replace(NOT_XML, '\ufffd');
}

// The package splits only the first "]]>" of a text.
function xmlData(text: string): string {
  return xmlText(text).replaceAll(']]>', ']] >');
}
