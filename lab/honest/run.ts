import type { CaseResult } from '../../src/evidence/case-result.ts';
import { type Case, formatCase } from '../../src/problem/case.ts';
import type { Judged } from '../../src/run/scheduler.ts';
import type { Alarm } from './alarm.ts';
import { type Coverage, HonestCoverage } from './coverage.ts';
import { HonestTally, type SigmaBin, type SigmaTally } from './tally.ts';

type JudgedCase = Pick<Judged, 'result' | 'evidence'>;

/** What an honest run needs. */
export interface HonestOptions {
  /** Judges cases by the checks of the gate, in their order. */
  readonly judge: (cases: readonly Case[]) => Promise<readonly JudgedCase[]>;
  /** The largest error allowed, in sigmas, as the judge has it. */
  readonly sigmas: number;
  /** Is told each result as it comes. */
  readonly onCase?: (result: CaseResult) => void;
  /** Asked between batches: true ends the run with what is finished. */
  readonly stop?: () => boolean;
}

/** What the gate said of kernels without a fault. */
export interface HonestOutcome {
  readonly planned: number;
  readonly run: number;
  readonly pass: number;
  /** Whatever failed: each one a false alarm, or a defect of ours. */
  readonly alarms: readonly CaseResult[];
  /** Cases that could not be asked, since their operands cannot be made: each one a defect of ours. */
  readonly unmade: readonly Unmade[];
  /** Why cases could not be judged, and why single checks could not, in cases that others judged or none; most first, numbers as …. */
  readonly inconclusive: readonly Undecided[];
  readonly undecided: readonly Undecided[];
  /** What of all there is cases met, and what came of these. */
  readonly coverage: readonly Coverage[];
  /** Cases that each check passed, failed, and could not decide. */
  readonly checks: readonly {
    readonly name: string;
    readonly pass: number;
    readonly fail: number;
    readonly undecided: number;
  }[];
  /** Errors in sigmas: by precision, by what adds up and claims what, and all of them by size. */
  readonly sigmas: readonly SigmaTally[];
  readonly kinds: readonly SigmaTally[];
  readonly histogram: readonly SigmaBin[];
  /** The chance that any of these cases fails the check `sigma`, at most. */
  readonly alarm: Alarm;
  readonly seconds: number;
  readonly interrupted: boolean;
}

/** A case that cannot be made, and why. */
export interface Unmade {
  readonly case: string;
  readonly reason: string;
}

/** Cases of one reason, by the family or the check. */
export interface Undecided {
  readonly of: string;
  readonly reason: string;
  readonly cases: number;
}

/** Cases judged between two looks at the clock and at Ctrl-C. */
const AT_ONCE = 24;

/** Judges cases of kernels that are as they claim to be, and counts what the gate says against them. */
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
  const unmade: Unmade[] = [];
  const done = () => counts.run + unmade.length;
  while (done() < cases.length && !stop()) {
    const batch = cases.slice(done(), done() + AT_ONCE);
    const { made, ...found } = await judgedApart(batch, judge);
    // Where nothing was ever judged, it is no matter of cases.
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

/** Judges cases together; where one cannot be made, each by itself. */
async function judgedApart(batch: readonly Case[], judge: HonestOptions['judge']) {
  const together = await caught(judge(batch));
  const all = together instanceof Error ? batch.map((value) => [value]) : [batch];
  const made: { readonly value: Case; readonly judged: JudgedCase }[] = [];
  const unmade: Unmade[] = [];
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

const mostFirst = (reasons: Reasons): Undecided[] => [...reasons.values()].sort((x, y) => y.cases - x.cases);

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
