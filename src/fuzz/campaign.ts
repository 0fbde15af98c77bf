import fc from 'fast-check';
import type { Case } from '../gate/case.ts';
import type { CaseResult, Verdict } from '../gate/results.ts';
import { caseArbitrary, type Space } from './case-arbitrary.ts';
import { type Coverage, CoverageTally } from './coverage.ts';
import type { Finding } from './finding.ts';
import { failedCheck, type Judge, type Judged } from './judge.ts';
import { shrink } from './shrink.ts';
import type { Target } from './target.ts';
import { Worst } from './worst.ts';

/** What a campaign does. */
export interface CampaignOptions {
  readonly targets: readonly Target[];
  readonly space: Space;
  readonly judge: Judge;
  /** What the first round of every target is drawn from: its run r is fast-check's run r of this seed. */
  readonly seed: number;
  /** Runs of each target; without a number, until `stop`. */
  readonly runs: number;
  /** Asked between batches: true ends the campaign with what is done. */
  readonly stop: () => boolean;
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
}

export interface Counts {
  readonly run: number;
  readonly pass: number;
  readonly fail: number;
  readonly inconclusive: number;
  readonly mirrored: number;
  readonly mirrorEqual: number;
}

/** Runs that are drawn from one seed; later rounds have seeds of their own, so that paths stay short and draws cheap. */
const ROUND = 512;
/** Runs of one target that are judged before the next target's. */
const BATCH = 48;

/** The seed of a round: the campaign's own for the first, then seeds that follow from it. */
export function seedOfRound(seed: number, round: number): number {
  return (seed + Math.imul(round, 0x9e3779b1)) >>> 0;
}

/**
 * Draws cases of every target in turn and judges them, until all runs are done; a target's campaign ends with its
 * first violation, which is shrunk. Which case a run is depends on the seed and the options alone, not on the time.
 * @throws Problem `no-cases`, and what a machine that cannot be opened again reports.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignOutcome> {
  const { targets, space, judge, seed, runs, stop, mine = () => true, onJudged, onFinding } = options;
  const drawn = targets.map((target) => ({ target, arbitrary: caseArbitrary(target, space) }));
  const coverage = new CoverageTally();
  const worst = new Worst();
  const findings: Finding[] = [];
  const decided = new Map(targets.map((target) => [target, 0]));
  const failed = new Set<Target>();
  const count = { run: 0, pass: 0, fail: 0, inconclusive: 0, mirrored: 0, mirrorEqual: 0 };
  let interrupted = false;

  const judgeBatch = async ({ target, arbitrary }: (typeof drawn)[number], batch: Batch) => {
    const answers = await judge.judge(batch.cases);
    const at = answers.findIndex((answer) => failedCheck(answer) !== undefined);
    // What comes after a failure is not counted: it would not have been run one by one.
    for (const judged of at < 0 ? answers : answers.slice(0, at + 1)) {
      tally(judged, target);
      onJudged?.(judged);
    }
    if (at < 0) return;
    failed.add(target);
    const path = String(batch.indices[at]);
    const finding = await shrink(answers[at], { arbitrary, seed: batch.seed, path }, judge, stop);
    findings.push(finding);
    onFinding?.(finding);
  };

  const tally = (judged: Judged, target: Target) => {
    const { verdict, mirrorEqual } = judged.result;
    count.run++;
    count[verdict]++;
    if (mirrorEqual !== undefined) count.mirrored++;
    if (mirrorEqual === true) count.mirrorEqual++;
    if (verdict !== 'inconclusive') decided.set(target, (decided.get(target) ?? 0) + 1);
    coverage.add(judged, target);
    worst.add(judged.result);
  };

  for (let round = 0; round * ROUND < runs && !interrupted && failed.size < targets.length; round++) {
    const roundSeed = seedOfRound(seed, round);
    const numRuns = Math.min(ROUND, runs - round * ROUND);
    const batches = drawn.map(({ arbitrary, target }) => ({
      of: { arbitrary, target },
      batches: failed.has(target)
        ? []
        : batchesOf(fc.sample(arbitrary, { seed: roundSeed, numRuns }), roundSeed, (at) =>
            mine(round * ROUND + at),
          ),
    }));
    for (let turn = 0; turn * BATCH < numRuns && !interrupted; turn++) {
      for (const { of, batches: own } of batches) {
        if (stop()) interrupted = true;
        if (interrupted || failed.has(of.target) || own[turn] === undefined) continue;
        await judgeBatch(of, own[turn]);
      }
    }
  }

  const shown = [...findings.map(({ result }) => result), ...worst.results()];
  const ended = { findings, count, interrupted, decided: [...decided.values()], runs };
  return { ...verdictOf(ended), findings, coverage: coverage.coverage(), count, interrupted, shown };
}

interface Batch {
  readonly cases: readonly Case[];
  /** The run of each case within its round. */
  readonly indices: readonly number[];
  readonly seed: number;
}

function batchesOf(cases: readonly Case[], seed: number, mine: (at: number) => boolean): Batch[] {
  const batches: Batch[] = [];
  for (let from = 0; from < cases.length; from += BATCH) {
    const all = Array.from({ length: Math.min(BATCH, cases.length - from) }, (_, at) => from + at);
    const indices = all.filter(mine);
    batches.push({ cases: indices.map((at) => cases[at]), indices, seed });
  }
  return batches;
}

/** Judged cases of every target from which a campaign that was ended early says something. */
export const ENOUGH = 100;

interface Ended {
  readonly findings: readonly Finding[];
  readonly count: Counts;
  readonly interrupted: boolean;
  readonly decided: readonly number[];
  readonly runs: number;
}

/** A violation fails; too few judged cases of some kernel, or more cases without a judge than with one, say nothing. */
function verdictOf({ findings, count, interrupted, decided, runs }: Ended): {
  verdict: Verdict;
  reason: string;
} {
  const { run, pass, inconclusive } = count;
  if (findings.length > 0) {
    const which = findings.length === 1 ? 'A violation was' : `${findings.length} violations were`;
    return { verdict: 'fail', reason: `${which} found in ${run} cases.` };
  }
  const least = Math.min(...decided);
  if (interrupted && least < Math.min(ENOUGH, runs)) {
    const reason = `Ended after ${least} judged cases of a kernel; fewer than ${Math.min(ENOUGH, runs)} say nothing.`;
    return { verdict: 'inconclusive', reason };
  }
  if (run === 0 || inconclusive > pass || least === 0) {
    return { verdict: 'inconclusive', reason: `${inconclusive} of ${run} cases could not be judged.` };
  }
  const rest = inconclusive === 0 ? '' : `; ${inconclusive} more could not be judged`;
  return { verdict: 'pass', reason: `No violation in ${pass} judged cases${rest}.` };
}
