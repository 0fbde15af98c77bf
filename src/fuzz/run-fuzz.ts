import fc from 'fast-check';
import { badNumber } from '../base/messages.ts';
import type { CaseResult, Verdict } from '../evidence/case-result.ts';
import type { Case } from '../problem/case.ts';
import { formatCount } from '../report/numbers.ts';
import { withShownExamples } from '../run/groups/group.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import type { CampaignFinding, FuzzResult, Results } from '../run/results.ts';
import { type CaseOutcome, failedCheck, type Scheduler } from '../run/scheduler.ts';
import { describeViolations } from '../run/violations.ts';
import { type CampaignOutcome, runCampaign } from './campaign.ts';
import { CampaignTally } from './campaign-tally.ts';
import { type CaseSpace, caseArbitrary } from './case-arbitrary.ts';
import { type Champion, maximize } from './maximize.ts';
import type { Objective } from './objective.ts';
import { shrink, toFinding } from './shrink.ts';
import { SimilarCases } from './similar-cases.ts';
import type { Target } from './target.ts';

/** Options of fuzzing. */
export interface FuzzOptions {
  readonly targets: readonly Target[];
  readonly space: CaseSpace;
  readonly judge: Scheduler;
  readonly seed: number;
  /** Runs of each target. Infinite where only `stop` ends them. */
  readonly runs: number;
  readonly stop: () => boolean;
  /** True if its time was over, when the campaign was ended early. @defaultValue the user ended it */
  readonly isLate?: (() => boolean) | undefined;
  /** Cases that are run first. */
  readonly corpus: readonly PlannedCase[];
  /** Path of the only case of the seed to run and shrink. */
  readonly path?: string | undefined;
  /** Quantity to maximize, instead of a search for violations. */
  readonly objective?: Objective | undefined;
  /** True if run r belongs to this machine. */
  readonly mine?: (run: number) => boolean;
  readonly onJudged?: (judged: CaseOutcome) => void;
  readonly onFinding?: (finding: CampaignFinding, isSaved?: boolean) => void;
  readonly onChampion?: (champion: Champion, objective: Objective) => void;
}

/** The parts of a results file that come from fuzzing. */
export type FuzzOutcome = Pick<Results, 'verdict' | 'reason' | 'summary' | 'cases' | 'groups' | 'growth'> & {
  readonly fuzz: FuzzResult;
  readonly findings: readonly CampaignFinding[];
};

/** Findings of one way of fuzzing. */
interface Found extends Omit<CampaignOutcome, 'interrupted' | 'alike'> {
  readonly alike?: SimilarCases;
  readonly champions?: readonly { readonly champion: Champion; readonly objective: Objective }[];
}

/**
 * Fuzzes: a campaign over all targets, after the corpus; or the one case of a path; or a search for the largest error.
 * @throws ParanoiaError `no-cases`, `bad-number` for a path, and the error of a machine that cannot be opened again.
 */
export async function runFuzz(options: FuzzOptions): Promise<FuzzOutcome> {
  const { targets, space, runs, corpus, path, objective } = options;
  const start = performance.now();
  const found =
    path !== undefined
      ? await replayed(options, path)
      : objective !== undefined
        ? await searched(options, objective)
        : await campaigned(options);
  const { findings, count, verdict, champions } = found;
  const seconds = (performance.now() - start) / 1000;
  const asked = Number.isFinite(runs) && path === undefined && findings.length === 0;
  const planned = asked ? Math.max(count.run, ownRuns(options) * targets.length) : count.run;
  const interrupted = options.stop() && (count.run < planned || verdict === 'inconclusive');
  const about = { planned, seconds, interrupted, maxSize: space.maxSize, runs, corpus: corpus.length };
  return toFuzzOutcome(found, about, champions);
}

/** Facts on a campaign besides its findings. */
export interface FuzzFacts extends Pick<Results['summary'], 'planned' | 'seconds' | 'interrupted'> {
  readonly maxSize: number;
  /** Runs of each target. Infinite where only the time ended them. */
  readonly runs: number;
  /** Number of cases of the corpus. */
  readonly corpus: number;
}

/** Converts the outcome of a campaign to results. */
export function toFuzzOutcome(
  found: Omit<CampaignOutcome, 'interrupted' | 'alike'> & { readonly alike?: SimilarCases },
  { planned, seconds, interrupted, maxSize, runs, corpus }: FuzzFacts,
  champions?: Found['champions'],
): FuzzOutcome {
  const { verdict, reason, findings, coverage, count, shown, alike = new SimilarCases() } = found;
  const { cases, groups } = alike.told(shown);
  return {
    ...{ verdict, reason, findings },
    summary: { planned, ...count, seconds, interrupted },
    growth: [],
    cases: withShownExamples(cases, groups),
    ...(groups.length === 0 ? {} : { groups }),
    fuzz: {
      maxSize,
      ...(Number.isFinite(runs) ? { runs } : {}),
      ...(corpus === 0 ? {} : { corpus }),
      coverage: { counts: { ...coverage.counts }, exponents: coverage.exponents },
      findings: findings.map(({ result: _, ...finding }) => finding),
      ...(champions === undefined
        ? {}
        : {
            champions: champions.map(({ champion: { value, result }, objective: { unit } }) => ({
              ...{ case: result.case, objective: unit, value, replay: result.replay },
            })),
          }),
    },
  };
}

async function campaigned(options: FuzzOptions): Promise<Found> {
  const { judge, corpus, onJudged, onFinding } = options;
  const known: CampaignFinding[] = [];
  for (const judged of await judgedOf(corpus, judge)) {
    onJudged?.(judged);
    const found = await judge.blamed(judged, { stop: options.stop });
    const check = failedCheck(found);
    if (check !== undefined) known.push(toFinding(found, check));
  }
  for (const finding of known) onFinding?.(finding, true);
  const outcome = await runCampaign(options);
  if (known.length === 0) return outcome;
  const findings = [...known, ...outcome.findings];
  const shown = [...known.map(({ result }) => result), ...outcome.shown];
  const reason = `Of ${formatCount(corpus.length, 'case')} saved by earlier runs, ${known.length} failed again. ${outcome.reason}`;
  return { ...outcome, verdict: 'fail', reason, findings, shown };
}

/** Judges the cases of a corpus: together, except those that fail after others. */
async function judgedOf(corpus: readonly PlannedCase[], judge: Scheduler): Promise<CaseOutcome[]> {
  const judged = await judge.judge(corpus.filter(({ after }) => after === undefined));
  for (const value of corpus) {
    if (value.after !== undefined) judged.push(await judge.after(value.after, value));
  }
  return judged;
}

async function replayed(options: FuzzOptions, path: string): Promise<Found> {
  const { targets, space, judge, seed, stop, onFinding, onJudged } = options;
  const [target] = targets;
  const arbitrary = caseArbitrary(target, space);
  const judged = await judge.one(caseAt(arbitrary, seed, path));
  onJudged?.(judged);
  const tally = new CampaignTally(targets, judge.items.checks);
  tally.add(judged, target);
  const { coverage, count } = tally;
  const findings: CampaignFinding[] = [];
  if (failedCheck(judged) !== undefined) {
    findings.push(await shrink(judged, { arbitrary, seed, path }, judge, stop));
    onFinding?.(findings[0]);
  }
  const shown = findings.length === 0 ? [judged.result] : findings.map(({ result }) => result);
  const { verdict, reason } = judged.result;
  return { verdict, reason, findings, coverage: coverage.coverage(), count, shown };
}

async function searched(options: FuzzOptions, objective: Objective): Promise<Found> {
  const { targets, space, judge, seed, runs, stop, onJudged, onFinding, onChampion } = options;
  const tally = new CampaignTally(targets, judge.items.checks);
  const findings: CampaignFinding[] = [];
  const champions: { champion: Champion; objective: Objective }[] = [];
  for (const target of targets) {
    const { champion, violation } = await maximize({
      ...{ target, space, judge, objective, seed, runs, stop },
      onJudged(judged) {
        tally.add(judged, target);
        onJudged?.(judged);
      },
      onChampion: (better) => onChampion?.(better, objective),
    });
    if (champion !== undefined) champions.push({ champion, objective });
    if (violation === undefined) continue;
    findings.push(toFinding(await judge.blamed(violation, { stop }), failedCheck(violation) as string));
    onFinding?.(findings[findings.length - 1]);
  }
  champions.sort((x, y) => y.champion.value - x.champion.value);
  const { coverage, count, worst } = tally;
  const best = champions.map(({ champion }) => champion.result);
  const shown: CaseResult[] = [...findings.map(({ result }) => result), ...best, ...worst.results()];
  const found = { findings, coverage: coverage.coverage(), count, shown, champions };
  return { ...verdictOfSearch(found, objective), ...found };
}

function verdictOfSearch(
  { findings, champions = [], count }: Pick<Found, 'findings' | 'champions' | 'count'>,
  { unit }: Objective,
): { verdict: Verdict; reason: string } {
  if (findings.length > 0) return { verdict: 'fail', reason: describeViolations(findings.length, count.run) };
  const [best] = champions;
  if (best === undefined) return { verdict: 'inconclusive', reason: `No case of ${count.run} has an error.` };
  const reason = `The largest error of ${count.run} cases is ${Number(best.champion.value.toPrecision(4))} ${unit}.`;
  return { verdict: 'pass', reason };
}

/** Counts the runs of each target on this machine, where several share a campaign. */
function ownRuns({ runs, mine = () => true }: FuzzOptions): number {
  let own = 0;
  for (let run = 0; run < runs; run++) if (mine(run)) own++;
  return own;
}

/**
 * Returns the case of a seed and a path: run 17, or 17:0:3, a case that run 17 shrinks to.
 * @throws ParanoiaError `bad-number` for a path without a case.
 */
export function caseAt(arbitrary: fc.Arbitrary<Case>, seed: number, path: string): Case {
  const wrong = badNumber({
    what: '--path',
    given: path,
    need: 'a path that a campaign printed with the same options, such as 17 or 17:0:3',
  });
  if (!/^\d{1,6}(:\d{1,6})*$/.test(path)) throw wrong;
  let found: Case[];
  try {
    found = fc.sample(arbitrary, { seed, path, numRuns: 1 });
  } catch {
    throw wrong;
  }
  if (found.length === 0) throw wrong;
  return found[0];
}
