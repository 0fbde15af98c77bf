import { EXIT, ParanoiaError } from '../base/errors.ts';
import { toJsonNumber } from '../base/numbers.ts';
import { loadPart } from '../base/part.ts';
import type { Registry } from '../base/registry.ts';
import type { Kernel } from '../kernels/kernel.ts';
import type { Case } from '../problem/case.ts';
import { reportedFields } from '../problem/schema.ts';
import type { CaseResult, CheckResult, Verdict } from './case-result.ts';
import { answerOf, type CaseLimits, type Check, type CheckAnswer } from './checks/check.ts';
import { checks as builtin } from './checks/checks.ts';
import type { Evidence } from './evidence.ts';
import { planOf } from './prepare.ts';

export interface ResultOptions {
  /** Checks; the first failure in their order becomes the reason. @defaultValue the built-in ones */
  readonly checks?: Registry<Check> | undefined;
  /** True if the case belongs to the growth series. @defaultValue false */
  readonly series?: boolean;
  /** True if the result includes a map and a histogram of the errors. @defaultValue false */
  readonly detailed?: boolean;
  /** The command that runs cases, one after the other in one process. */
  readonly replay?: ReplayCommand | undefined;
}

/** Returns the command that runs cases, one after the other in one process. */
export type ReplayCommand = (...texts: readonly string[]) => string;

/** Returns the options that name cases to the gate. */
export const casesOption: ReplayCommand = (...texts) => texts.map((text) => `--case '${text}'`).join(' ');

/** Returns the command that runs cases where the package is installed. */
export const replayCommand: ReplayCommand = (...texts) => `npx gemm-paranoia gate ${casesOption(...texts)}`;

/** The facts about a case that are known before its product. */
export type CaseFacts = Pick<
  CaseResult,
  | ('case' | 'kernel' | 'algorithm' | 'leaf' | 'leafKernel' | 'levels' | 'levelsUsed' | 'fringe' | 'tail')
  | ('precision' | 'input' | 'm' | 'k' | 'n' | 'seed' | 'series')
>;

/** Returns the facts about a case. @throws ParanoiaError of the plan */
export function factsOfCase(value: Case, kernel: Kernel, series = false): CaseFacts {
  const plan = planOf(value, kernel);
  const leafKernel = kernel.leafOf?.(plan);
  return {
    ...reportedFields(value),
    kernel: kernel.name,
    algorithm: kernel.algorithm,
    leaf: kernel.leaf,
    // The leaf kernel that a family stands for.
    ...(leafKernel === undefined || leafKernel === kernel.leaf ? {} : { leafKernel }),
    ...{ levelsUsed: plan.levels, series },
  };
}

/**
 * Makes the result of a case: the verdict of all checks on its evidence, or the meaning of the error in its place. Errors of the input or
 * the plan are thrown unchanged: the request was wrong.
 * @throws ParanoiaError `unknown-name`, `bad-number`, `input-refused`, `part-missing`
 */
export async function resultOf(
  value: Case,
  kernel: Kernel,
  found: Evidence | ParanoiaError,
  limits: CaseLimits,
  { checks = builtin, series, detailed = false, replay = replayCommand }: ResultOptions = {},
): Promise<CaseResult> {
  const facts = factsOfCase(value, kernel, series);
  const about = { ...facts, replay: replay(facts.case) };
  if (found instanceof ParanoiaError) return { ...about, ...withoutProduct(found, kernel) };
  const answers = await answersOf(found, limits, checks);
  const told = verdictOfChecks(answers, checks);
  const { digestBits, numbers } = await loadPart('tells errors in numbers', () => import('./numbers.ts'));
  const failing = checks.items.filter((_, at) => answers[at].status === 'fail');
  return {
    ...about,
    ...told,
    // A check that does not apply is not listed.
    checks: answers.filter(({ status }) => status !== 'not-applicable'),
    ...numbers.ask(found),
    ...(await digestBits(found)),
    ...sinceBaseline(found, limits),
    ...(detailed || told.verdict === 'fail' ? await shownOf(found, failing, detailed) : {}),
  };
}

/** Returns entries and errors of a product that fails or is to be shown; the code that draws them is loaded on demand. */
async function shownOf(found: Evidence, failing: readonly Check[], detailed: boolean) {
  const { excerptAround, details, maps } = await loadPart('shows products', () => import('./shown.ts'));
  return {
    ...(failing.some(({ judges }) => judges === 'entries') ? excerptAround.ask(found) : {}),
    ...(detailed ? details.ask(found) : {}),
    ...(failing.length > 0 ? { maps: maps.ask(found) } : {}),
  };
}

/** Asks every check about a product. */
export const answersOf = (
  found: Evidence,
  limits: CaseLimits,
  { items }: Registry<Check> = builtin,
): Promise<CheckResult[]> =>
  explained(items.map((check) => ({ name: check.name, ...answerOf(check, found, limits) })));

/** Adds descriptions of the wrong entries to the answers of checks; the catalog of mistakes is loaded only if a check fails. */
async function explained(
  answers: readonly (CheckAnswer & { readonly name: string })[],
): Promise<CheckResult[]> {
  const isExplained = answers.some(({ explain }) => explain !== undefined);
  const diagnosing = isExplained
    ? await loadPart('names mistakes', () => import('./diagnose.ts'))
    : undefined;
  return answers.map(({ explain, ...answer }) =>
    explain === undefined || diagnosing === undefined ? answer : { ...answer, ...explain(diagnosing) },
  );
}

/** Returns the mean error as a multiple of the baseline's. */
function sinceBaseline({ errors }: Evidence, { baseline }: CaseLimits): Pick<CaseResult, 'sinceBaseline'> {
  if (baseline === undefined) return {};
  const { mean } = errors.exact;
  const ratio = mean === baseline.meanError ? 1 : mean / baseline.meanError;
  return { sinceBaseline: toJsonNumber(Number(ratio.toPrecision(4))) };
}

/** Returns the result of a case without a product. @throws ParanoiaError where the request was wrong */
function withoutProduct(
  error: ParanoiaError,
  { leaf }: Kernel,
): Pick<CaseResult, 'verdict' | 'reason' | 'checks'> {
  const failed = error.blames === 'kernel';
  // An external kernel may turn out unusable at any product: the others go on.
  if (!failed && leaf !== '' && error.exitCode === EXIT.usage) throw error;
  const [status, { message }] = [failed ? ('fail' as const) : ('inconclusive' as const), error];
  return { verdict: status, reason: message, checks: [{ name: 'runs', status, message }] };
}

/**
 * Returns the verdict of a case: fail if any check fails; pass if a decisive one passes and none is inconclusive, else inconclusive. A
 * vacuous check, or one that does not apply, never makes a pass.
 */
export function verdictOfChecks(
  answers: readonly CheckResult[],
  checks: Registry<Check> = builtin,
): { verdict: Verdict; reason: string } {
  const first = (status: CheckResult['status']) => answers.find((answer) => answer.status === status);
  const failed = first('fail');
  if (failed !== undefined) return { verdict: 'fail', reason: failed.message };
  const undecided = first('inconclusive');
  if (undecided !== undefined) return { verdict: 'inconclusive', reason: undecided.message };
  const isDecisive = (name: string) => checks.get(name)?.decisive === true;
  const passed = answers.find((answer) => answer.status === 'pass' && isDecisive(answer.name));
  if (passed !== undefined) return { verdict: 'pass', reason: passed.message };
  const vacuous = first('vacuous');
  return { verdict: 'inconclusive', reason: vacuous?.message ?? 'No check could judge this case.' };
}
