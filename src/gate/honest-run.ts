import { fromReal } from '../base/real.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { allowedSigmas } from '../evidence/checks/sigma.ts';
import { medianOfLargest, someBeyond } from '../evidence/normal-tail.ts';
import type { Case } from '../problem/case.ts';

/** What an honest run needs. */
export interface HonestOptions {
  /** Judges cases by the checks of the gate, in their order. */
  readonly judge: (cases: readonly Case[]) => Promise<readonly CaseResult[]>;
  /** The largest error allowed, in sigmas, as the judge has it. */
  readonly sigmas: number;
  /** Is told each result as it comes. */
  readonly onCase?: (result: CaseResult) => void;
  /** Asked between batches: true ends the run with what is finished. */
  readonly stop?: () => boolean;
}

/** How the errors of one precision stood to what was expected of them. */
export interface SigmaTally {
  readonly precision: string;
  /** Cases, and entries of theirs, that the sigma check judged. */
  readonly cases: number;
  readonly entries: number;
  /** The worst error, in sigmas, and the median of the worst of as many independent normal errors. */
  readonly worst: number;
  readonly modelled: number;
  /** Cases whose worst error exceeds so many sigmas, and how many the model has at most. */
  readonly beyond: readonly { readonly sigmas: number; readonly cases: number; readonly modelled: number }[];
  /** The chance, by the model, that any of these cases fails. */
  readonly alarm: number;
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
  readonly sigmas: readonly SigmaTally[];
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
  const results: CaseResult[] = [];
  while (results.length < cases.length && !stop()) {
    const batch = await judge(cases.slice(results.length, results.length + AT_ONCE));
    for (const result of batch) {
      results.push(result);
      onCase?.(result);
    }
  }
  return {
    planned: cases.length,
    run: results.length,
    pass: results.filter(({ verdict }) => verdict === 'pass').length,
    alarms: results.filter(({ verdict }) => verdict === 'fail'),
    inconclusive: reasons(results),
    checks: tallyChecks(results),
    sigmas: tallySigmas(results, sigmas),
    seconds: (performance.now() - start) / 1000,
    interrupted: results.length < cases.length,
  };
}

function reasons(results: readonly CaseResult[]): HonestOutcome['inconclusive'] {
  const counts = new Map<string, { input: string; reason: string; cases: number }>();
  for (const { verdict, input, reason: text } of results) {
    if (verdict !== 'inconclusive') continue;
    const reason = text.replaceAll(/\d[\d.e+-]*/g, '…');
    const known = counts.get(`${input} ${reason}`) ?? { input, reason, cases: 0 };
    known.cases++;
    counts.set(`${input} ${reason}`, known);
  }
  return [...counts.values()].sort((x, y) => y.cases - x.cases);
}

function tallyChecks(results: readonly CaseResult[]): HonestOutcome['checks'] {
  const tallies = new Map<string, { name: string; pass: number; fail: number; undecided: number }>();
  for (const { name, status } of results.flatMap(({ checks }) => checks)) {
    const tally = tallies.get(name) ?? { name, pass: 0, fail: 0, undecided: 0 };
    tally[status === 'pass' || status === 'fail' ? status : 'undecided']++;
    tallies.set(name, tally);
  }
  return [...tallies.values()];
}

/** How many sigmas cases are counted beyond. */
const MARKS = [3, 4, 5];

function tallySigmas(results: readonly CaseResult[], threshold: number): SigmaTally[] {
  const judged = results.flatMap(({ precision, m, n, checks }) => {
    const found = checks.find(({ name }) => name === 'sigma')?.found;
    return found === undefined ? [] : [{ precision, entries: m * n, worst: fromReal(found) }];
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, x) => total + x, 0);
  return [...new Set(judged.map(({ precision }) => precision))].sort().map((precision) => {
    const own = judged.filter((one) => one.precision === precision);
    const entries = sum(own.map((one) => one.entries));
    return {
      precision,
      cases: own.length,
      entries,
      worst: Math.max(...own.map(({ worst }) => worst)),
      modelled: medianOfLargest(entries),
      beyond: MARKS.map((sigmas) => ({
        sigmas,
        cases: own.filter(({ worst }) => worst > sigmas).length,
        modelled: sum(own.map((one) => someBeyond(sigmas, one.entries))),
      })),
      alarm: sum(own.map((one) => someBeyond(allowedSigmas(threshold, one.entries), one.entries))),
    };
  });
}
