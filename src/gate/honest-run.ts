import type { Alarm } from '../evidence/alarm.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Case } from '../problem/case.ts';
import type { Judged } from '../run/scheduler.ts';
import { HonestTally, type SigmaBin, type SigmaTally } from './honest-tally.ts';

/** What an honest run needs. */
export interface HonestOptions {
  /** Judges cases by the checks of the gate, in their order. */
  readonly judge: (cases: readonly Case[]) => Promise<readonly Pick<Judged, 'result' | 'evidence'>[]>;
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
  /** Why cases could not be judged, with how many there were of each, most first; numbers stand as …. */
  readonly inconclusive: readonly {
    readonly input: string;
    readonly reason: string;
    readonly cases: number;
  }[];
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
  const [alarms, reasons, checks]: [CaseResult[], Reasons, Checks] = [[], new Map(), new Map()];
  while (counts.run < cases.length && !stop()) {
    for (const judged of await judge(cases.slice(counts.run, counts.run + AT_ONCE))) {
      const { result } = judged;
      counts.run++;
      if (result.verdict === 'pass') counts.pass++;
      if (result.verdict === 'fail') alarms.push(result);
      if (result.verdict === 'inconclusive') addReason(reasons, result);
      addChecks(checks, result);
      tally.add(judged);
      onCase?.(result);
    }
  }
  return {
    ...{ planned: cases.length, ...counts, alarms },
    inconclusive: [...reasons.values()].sort((x, y) => y.cases - x.cases),
    checks: [...checks.values()],
    ...{ sigmas: tally.byPrecision, kinds: tally.byKind, histogram: tally.histogram, alarm: tally.alarm },
    seconds: (performance.now() - start) / 1000,
    interrupted: counts.run < cases.length,
  };
}

type Reasons = Map<string, { input: string; reason: string; cases: number }>;

function addReason(reasons: Reasons, { input, reason: text }: CaseResult): void {
  const reason = text.replaceAll(/\d[\d.e+-]*/g, '…');
  const known = reasons.get(`${input} ${reason}`) ?? { input, reason, cases: 0 };
  known.cases++;
  reasons.set(`${input} ${reason}`, known);
}

type Checks = Map<string, { name: string; pass: number; fail: number; undecided: number }>;

function addChecks(checks: Checks, result: CaseResult): void {
  for (const { name, status } of result.checks) {
    const tally = checks.get(name) ?? { name, pass: 0, fail: 0, undecided: 0 };
    tally[status === 'pass' || status === 'fail' ? status : 'undecided']++;
    checks.set(name, tally);
  }
}
