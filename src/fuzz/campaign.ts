import fc from 'fast-check';
import type { CaseResult, Verdict } from '../evidence/case-result.ts';
import type { Case } from '../problem/case.ts';
import { countRunsIn, ROUND } from '../run/fuzz-round.ts';
import type { CampaignFinding } from '../run/results.ts';
import { type CaseOutcome, failedCheck, type Scheduler } from '../run/scheduler.ts';
import { describeViolations } from '../run/violations.ts';
import { CampaignTally, type CaseCounts } from './campaign-tally.ts';
import { type CaseSpace, caseArbitrary } from './case-arbitrary.ts';
import type { CaseCoverage } from './coverage.ts';
import { shrink } from './shrink.ts';
import { SimilarCases, seedOfRound } from './similar-cases.ts';
import type { Target } from './target.ts';

/** Options of a campaign. */
export interface FuzzCampaignOptions {
  readonly targets: readonly Target[];
  readonly space: CaseSpace;
  readonly judge: Scheduler;
  /** The seed of all draws. */
  readonly seed: number;
  /** Runs of each target. Without a number, the campaign runs until `stop`. */
  readonly runs: number;
  /** True if the campaign must end with what is done. Asked between batches. */
  readonly stop: () => boolean;
  /** True if its time was over, when the campaign was ended early. @defaultValue the user ended it */
  readonly isLate?: (() => boolean) | undefined;
  /** The only round to run. @defaultValue all, one after the other */
  readonly round?: number | undefined;
  /** True if run r belongs to this machine, where several share a campaign. @defaultValue every run */
  readonly mine?: (run: number) => boolean;
  readonly onJudged?: (judged: CaseOutcome) => void;
  readonly onFinding?: (finding: CampaignFinding) => void;
}

/** Outcome of a campaign. */
export interface CampaignOutcome {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly findings: readonly CampaignFinding[];
  readonly coverage: CaseCoverage;
  /** Counts of run, passed, failed and inconclusive cases. */
  readonly count: CaseCounts;
  readonly interrupted: boolean;
  /** The passing cases with the largest errors, and the inconclusive cases. */
  readonly shown: readonly CaseResult[];
  /** The cases from which groups of failures are formed. */
  readonly alike: SimilarCases;
}

/** Number of runs of one target before the next target's turn. */
export const TURN = 48;

/**
 * Draws cases of every target in turn and judges them, until all runs are done. A target ends with its first violation, which is shrunk.
 * The case of a run depends only on the seed and the options, not on the time.
 * @throws ParanoiaError `no-cases`, and the error of a machine that cannot be opened again.
 */
export async function runCampaign(options: FuzzCampaignOptions): Promise<CampaignOutcome> {
  const { targets, space, judge, seed, runs, round, stop, mine = () => true, onJudged, onFinding } = options;
  const campaigns = targets.map((target) => ({ target, arbitrary: caseArbitrary(target, space) }));
  const tally = new CampaignTally(targets, judge.items.checks);
  const findings: CampaignFinding[] = [];
  const failed = new Set<Target>();
  const alike = new SimilarCases();

  const settle = async ({ batch, answers }: Started, following?: Started) => {
    const { target, arbitrary, indices } = batch;
    const judged = await answers;
    if (failed.has(target)) return;
    const at = judged.findIndex((one) => failedCheck(one) !== undefined);
    const told = (one: CaseOutcome) => {
      tally.add(one, target);
      onJudged?.(one);
    };
    judged.forEach(told);
    alike.add(judged, target);
    if (at < 0) return;
    failed.add(target);
    const path = String(indices[at]);
    // A rerun needs the kernel for itself.
    await following?.answers.catch(() => {});
    const finding = await shrink(judged[at], { arbitrary, seed: batch.seed, path }, judge, stop);
    findings.push(finding);
    onFinding?.(finding);
    (await alike.failed(finding, batch, { judge, seed, stop })).forEach(told);
  };

  let interrupted = false;
  let started: Started | undefined;
  const ended = (target: Target) => failed.has(target);
  for (const batch of batchesOf(campaigns, { seed, runs, round, mine, ended })) {
    interrupted = stop();
    if (interrupted) break;
    // The next batch is prepared while the device computes this one.
    const next = { batch, answers: judge.judge(batch.cases) };
    next.answers.catch(() => {});
    if (started !== undefined) await settle(started, next);
    started = next;
  }
  if (started !== undefined) await settle(started);

  const { count, decided, coverage, worst } = tally;
  const shown = [...findings.map(({ result }) => result), ...worst.results()];
  const isLate = interrupted && options.isLate?.() === true;
  const verdict = verdictOf({ findings, count, interrupted, isLate, decided: [...decided.values()], runs });
  return { ...verdict, findings, coverage: coverage.coverage(), count, interrupted, shown, alike };
}

/** A target, and the distribution of its cases. */
interface Campaign {
  readonly target: Target;
  readonly arbitrary: fc.Arbitrary<Case>;
}

/** Cases of one target that are judged together. */
interface Batch extends Campaign {
  readonly cases: readonly Case[];
  /** The run of each case within its round. */
  readonly indices: readonly number[];
  readonly seed: number;
}

interface Started {
  readonly batch: Batch;
  readonly answers: Promise<CaseOutcome[]>;
}

interface Drawing extends Pick<FuzzCampaignOptions, 'seed' | 'runs' | 'round'> {
  readonly mine: (run: number) => boolean;
  /** True if a target has ended. */
  readonly ended: (target: Target) => boolean;
}

/** Generates all batches: rounds one after the other, the targets in turn. */
function* batchesOf(campaigns: readonly Campaign[], drawing: Drawing): Generator<Batch> {
  const { seed, runs, round: only, mine, ended } = drawing;
  const last = only ?? Number.POSITIVE_INFINITY;
  for (let round = only ?? 0; round * ROUND < runs && round <= last; round++) {
    const numRuns = countRunsIn({ runs }, round);
    const drawn = campaigns
      .filter(({ target }) => !ended(target))
      .map((campaign) => {
        const own = seedOfRound(seed, campaign.target, round);
        return { ...campaign, seed: own, all: fc.sample(campaign.arbitrary, { seed: own, numRuns }) };
      });
    if (drawn.length === 0) return;
    for (let from = 0; from < numRuns; from += TURN) {
      const turn = Array.from({ length: Math.min(TURN, numRuns - from) }, (_, at) => from + at);
      const indices = turn.filter((at) => mine(round * ROUND + at));
      for (const { all, ...campaign } of drawn) {
        if (indices.length === 0 || ended(campaign.target)) continue;
        yield { ...campaign, cases: indices.map((at) => all[at]), indices };
      }
    }
  }
}

/** Fewest judged cases of each target for a verdict of a campaign that was ended early. */
const ENOUGH = 100;

/** Next step where there was too little time. */
const LONGER = 'Give more --time, or a fixed number of --cases.';

/** The facts that decide a verdict. */
export interface VerdictFacts {
  readonly findings: readonly unknown[];
  readonly count: CaseCounts;
  readonly interrupted: boolean;
  readonly isLate?: boolean;
  readonly decided: readonly number[];
  readonly runs: number;
}

/**
 * Decides the verdict. A violation fails. Too few judged cases of some kernel, or more inconclusive cases than others, are inconclusive.
 */
export function verdictOf({ findings, count, interrupted, isLate, decided, runs }: VerdictFacts): {
  verdict: Verdict;
  reason: string;
} {
  const { run, pass, inconclusive } = count;
  if (findings.length > 0) return { verdict: 'fail', reason: describeViolations(findings.length, run) };
  const least = Math.min(...decided);
  if (interrupted && least < Math.min(ENOUGH, runs)) {
    const how = `${least} judged cases of a kernel; a pass needs ${Math.min(ENOUGH, runs)}.`;
    const reason = isLate === true ? `Time ran out after ${how} ${LONGER}` : `Ended after ${how}`;
    return { verdict: 'inconclusive', reason };
  }
  if (run === 0 || inconclusive > pass || least === 0) {
    return { verdict: 'inconclusive', reason: `${inconclusive} of ${run} cases could not be judged.` };
  }
  const rest = inconclusive === 0 ? '' : `; ${inconclusive} more could not be judged`;
  return { verdict: 'pass', reason: `No violation in ${pass} judged cases${rest}.` };
}
