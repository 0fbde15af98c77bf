import type { CaseResult } from '../../src/evidence/case-result.ts';
import { type Case, formatCase } from '../../src/problem/case.ts';
import type { CaseOutcome } from '../../src/run/scheduler.ts';
import type { Alarm } from './alarm.ts';
import { HonestCoverage, type ItemCoverage } from './coverage.ts';
import { HonestTally, type SigmaBin, type SigmaTally } from './tally.ts';

type JudgedCase = Pick<CaseOutcome, 'result' | 'evidence'>;

/** Options of a run. */
export interface HonestOptions {
  /** Judges cases by the checks of the gate, in their order. */
  readonly judge: (cases: readonly Case[]) => Promise<readonly JudgedCase[]>;
  /** The largest error allowed, in sigmas, as the judge uses it. */
  readonly sigmas: number;
  /** Called with each result. */
  readonly onCase?: (result: CaseResult) => void;
  /** Called between batches: true ends the run with the finished results. */
  readonly stop?: () => boolean;
}

/** The gate's verdicts on correct kernels. */
export interface HonestOutcome {
  readonly planned: number;
  readonly run: number;
  readonly pass: number;
  /** Failures: each one a false alarm, or a bug of ours. */
  readonly alarms: readonly CaseResult[];
  /** Cases whose operands cannot be made: each one a bug of ours. */
  readonly unmade: readonly ImpossibleCase[];
  /**
   * Reasons why cases were inconclusive, and why single checks were, whether or not other checks decided the case; the most
   * frequent first, with numbers as ….
   */
  readonly inconclusive: readonly UndecidedCount[];
  readonly undecided: readonly UndecidedCount[];
  /** Coverage of items by cases, with the verdicts. */
  readonly coverage: readonly ItemCoverage[];
  /** The numbers of cases that each check passed, failed and left undecided. */
  readonly checks: readonly {
    readonly name: string;
    readonly pass: number;
    readonly fail: number;
    readonly undecided: number;
  }[];
  /** Errors in sigmas: by precision, by kind of kernel, and for all cases by size. */
  readonly sigmas: readonly SigmaTally[];
  readonly kinds: readonly SigmaTally[];
  readonly histogram: readonly SigmaBin[];
  /** An upper bound on the probability that any of these cases fails the check `sigma`. */
  readonly alarm: Alarm;
  readonly seconds: number;
  readonly interrupted: boolean;
}

/** A case that cannot be made, with the reason. */
export interface ImpossibleCase {
  readonly case: string;
  readonly reason: string;
}

/** The number of cases with one reason, for a family or a check. */
export interface UndecidedCount {
  readonly of: string;
  readonly reason: string;
  readonly cases: number;
}

/** The number of cases judged between two checks of the clock and of Ctrl-C. */
const AT_ONCE = 24;

/** Judges cases of correct kernels, and counts failures and inconclusive results. */
export async function honestRun(
  cases: readonly Case[],
  { judge, sigmas, onCase, stop = () => false }: HonestOptions,
): Promise<HonestOutcome> {
  const start = performance.now();
  const tally = new HonestTally(sigmas);
  const counts = { run: 0, pass: 0 };
  const [reasons, ofChecks]: [Reasons, Reasons] = [new Map(), new Map()];
  const [alarms, checks, coverage]: [CaseResult[], Checks, HonestCoverage] = [
    [],
    new Map(),
    new HonestCoverage(),
  ];
  const unmade: ImpossibleCase[] = [];
  const done = () => counts.run + unmade.length;
  while (done() < cases.length && !stop()) {
    const batch = cases.slice(done(), done() + AT_ONCE);
    const { made, ...found } = await judgedApart(batch, judge);
    // If no case was ever judged, the error does not depend on the case.
    if (done() === 0 && made.length === 0 && found.error !== undefined) throw found.error;
    unmade.push(...found.unmade);
    for (const { value, judged } of made) {
      const { result } = judged;
      counts.run++;
      if (result.verdict === 'pass') counts.pass++;
      if (result.verdict === 'fail') alarms.push(result);
      if (result.verdict === 'inconclusive') addReason(reasons, result.input, result.reason);
      addChecks(checks, ofChecks, result);
      coverage.add(value, result);
      tally.add(judged);
      onCase?.(result);
    }
  }
  return {
    ...{ planned: cases.length, ...counts, alarms, unmade },
    ...{ inconclusive: mostFirst(reasons), undecided: mostFirst(ofChecks), coverage: coverage.found },
    checks: [...checks.values()],
    ...{ sigmas: tally.byPrecision, kinds: tally.byKind, histogram: tally.histogram, alarm: tally.alarm },
    seconds: (performance.now() - start) / 1000,
    interrupted: done() < cases.length,
  };
}

/** Judges cases together; if one cannot be made, each separately. */
async function judgedApart(batch: readonly Case[], judge: HonestOptions['judge']) {
  const together = await caught(judge(batch));
  const all = together instanceof Error ? batch.map((value) => [value]) : [batch];
  const made: { readonly value: Case; readonly judged: JudgedCase }[] = [];
  const unmade: ImpossibleCase[] = [];
  for (const some of all) {
    const found = together instanceof Error ? await caught(judge(some)) : together;
    if (found instanceof Error) unmade.push({ case: formatCase(some[0]), reason: found.message });
    else made.push(...found.map((judged, at) => ({ value: some[at], judged })));
  }
  return { made, unmade, error: together instanceof Error ? together : undefined };
}

const caught = <T>(work: Promise<T>): Promise<T | Error> =>
  work.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));

type Reasons = Map<string, { of: string; reason: string; cases: number }>;

const mostFirst = (reasons: Reasons): UndecidedCount[] =>
  [...reasons.values()].sort((x, y) => y.cases - x.cases);

function addReason(reasons: Reasons, of: string, text: string): void {
  const reason = text.replaceAll(/\d[\d.e+-]*/g, '…');
  const known = reasons.get(`${of} ${reason}`) ?? { of, reason, cases: 0 };
  known.cases++;
  reasons.set(`${of} ${reason}`, known);
}

type Checks = Map<string, { name: string; pass: number; fail: number; undecided: number }>;

function addChecks(checks: Checks, reasons: Reasons, result: CaseResult): void {
  for (const { name, status, message } of result.checks) {
    if (status !== 'pass' && status !== 'fail') addReason(reasons, name, message);
    const tally = checks.get(name) ?? { name, pass: 0, fail: 0, undecided: 0 };
    tally[status === 'pass' || status === 'fail' ? status : 'undecided']++;
    checks.set(name, tally);
  }
}
