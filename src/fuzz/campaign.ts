import fc from 'fast-check';
import type { CaseResult, Verdict } from '../evidence/case-result.ts';
import type { Case } from '../problem/case.ts';
import type { Finding } from '../run/finding.ts';
import { ROUND, runsIn } from '../run/fuzz-round.ts';
import { failedCheck, type Judged, type Scheduler } from '../run/scheduler.ts';
import { Alike } from './alike.ts';
import { CampaignTally, type Counts } from './campaign-tally.ts';
import { caseArbitrary, type Space } from './case-arbitrary.ts';
import type { Coverage } from './coverage.ts';
import { seedOfRound } from './seed-of-round.ts';
import { shrink } from './shrink.ts';
import type { Target } from './target.ts';

/** What a campaign does. */
export interface CampaignOptions {
  readonly targets: readonly Target[];
  readonly space: Space;
  readonly judge: Scheduler;
  /** What everything is drawn from. */
  readonly seed: number;
  /** Runs of each target; without a number, until `stop`. */
  readonly runs: number;
  /** Asked between batches: true ends the campaign with what is done. */
  readonly stop: () => boolean;
  /** Asked where it was ended: true if its time was over. @defaultValue somebody ended it */
  readonly isLate?: (() => boolean) | undefined;
  /** The round that is run alone. @defaultValue all, one after the other */
  readonly round?: number | undefined;
  /** Whether run r is one of ours, where several machines share a campaign. Default: every run. */
  readonly mine?: (run: number) => boolean;
  readonly onJudged?: (judged: Judged) => void;
  readonly onFinding?: (finding: Finding) => void;
}

/** What came of it. */
export interface CampaignOutcome {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly findings: readonly Finding[];
  readonly coverage: Coverage;
  /** Cases run, and those of them that passed, failed, or nothing could judge. */
  readonly count: Counts;
  readonly interrupted: boolean;
  /** The largest errors among the cases that passed, and what could not be judged. */
  readonly shown: readonly CaseResult[];
  /** What tells what failures share. */
  readonly alike: Alike;
}

/** Runs of one target that are judged before the next target's. */
export const TURN = 48;

/**
 * Draws cases of every target in turn and judges them, until all runs are done; a target's campaign ends with its
 * first violation, which is shrunk. Which case a run is depends on the seed and the options alone, not on the time.
 * @throws ParanoiaError `no-cases`, and what a machine that cannot be opened again reports.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignOutcome> {
  const { targets, space, judge, seed, runs, round, stop, mine = () => true, onJudged, onFinding } = options;
  const campaigns = targets.map((target) => ({ target, arbitrary: caseArbitrary(target, space) }));
  const tally = new CampaignTally(targets, judge.items.checks);
  const findings: Finding[] = [];
  const failed = new Set<Target>();
  const alike = new Alike();

  const settle = async ({ batch, answers }: Started, following?: Started) => {
    const { target, arbitrary, indices } = batch;
    const judged = await answers;
    if (failed.has(target)) return;
    const at = judged.findIndex((one) => failedCheck(one) !== undefined);
    const told = (one: Judged) => {
      tally.add(one, target);
      onJudged?.(one);
    };
    judged.forEach(told);
    alike.add(judged, target);
    if (at < 0) return;
    failed.add(target);
    const path = String(indices[at]);
    // What is run again must find its kernel for itself.
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
    // The next batch is prepared while the device is at this one.
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

/** One target, and what its cases are drawn from. */
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
  readonly answers: Promise<Judged[]>;
}

interface Drawing extends Pick<CampaignOptions, 'seed' | 'runs' | 'round'> {
  readonly mine: (run: number) => boolean;
  /** Whether a target is done with. */
  readonly ended: (target: Target) => boolean;
}

/** All batches: rounds one after the other, the targets in turn. */
function* batchesOf(campaigns: readonly Campaign[], drawing: Drawing): Generator<Batch> {
  const { seed, runs, round: only, mine, ended } = drawing;
  const last = only ?? Number.POSITIVE_INFINITY;
  for (let round = only ?? 0; round * ROUND < runs && round <= last; round++) {
    const numRuns = runsIn({ runs }, round);
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

/** Judged cases of every target from which a campaign that was ended early says something. */
export const ENOUGH = 100;

/** The next step where there was too little time. */
const LONGER = 'Give more time with --time, or ask a fixed number with --cases.';

/** What a verdict follows from. */
export interface Ended {
  readonly findings: readonly unknown[];
  readonly count: Counts;
  readonly interrupted: boolean;
  readonly isLate?: boolean;
  readonly decided: readonly number[];
  readonly runs: number;
}

/** A violation fails; too few judged cases of some kernel, or more cases without a judge than with one, say nothing. */
export function verdictOf({ findings, count, interrupted, isLate, decided, runs }: Ended): {
  verdict: Verdict;
  reason: string;
} {
  const { run, pass, inconclusive } = count;
  if (findings.length > 0) {
    const which = findings.length === 1 ? 'A violation was' : `${findings.length} violations were`;
    return { verdict: 'fail', reason: `${which} found in ${run === 1 ? 'one case' : `${run} cases`}.` };
  }
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
