import type { CaseResult } from '../evidence/case-result.ts';
import type { NearbySizes } from '../problem/draws.ts';
import {
  type RoundFindings,
  type RoundPlace,
  type RoundsPlan,
  type RoundTarget,
  roundsOf,
} from '../run/fuzz-round.ts';
import type { CaseOutcome, Scheduler } from '../run/scheduler.ts';
import { runCampaign } from './campaign.ts';
import { BEFORE } from './similar-cases.ts';
import { targetOf } from './target.ts';

/** Options of judging a round. */
export interface RoundOptions {
  readonly judge: Scheduler;
  readonly seed: number;
  readonly stop: () => boolean;
  readonly onJudged?: (judged: CaseOutcome) => void;
}

/**
 * Judges a round of a campaign by itself, and shrinks its violation. The kernel and the device are available only here.
 * @throws ParanoiaError as `runCampaign` does
 */
export async function judgeRound(
  { targets, runs, maxSize, inputs }: RoundsPlan,
  { target: place, round }: RoundPlace,
  { judge, seed, stop, onJudged }: RoundOptions,
): Promise<RoundFindings> {
  const { kernel, precision, levels, around } = targets[place];
  const target = targetOf(await judge.kernel({ kernel, precision }), {
    levels,
    around: around && given(around),
  });
  const order = new Map<string, number>();
  const more: CaseResult[] = [];
  let recent: CaseResult[] = [];
  let isFound = false;
  const outcome = await runCampaign({
    ...{ targets: [target], judge, seed, runs, round, stop },
    space: { maxSize, families: inputs.map(judge.items.inputs.find) },
    onJudged(judged) {
      const { result } = judged;
      order.set(result.case, order.size);
      if (isFound) more.push(result);
      else recent = [...recent, result].slice(-BEFORE);
      onJudged?.(judged);
    },
    onFinding: () => {
      isFound = true;
    },
  });
  const { findings, count, coverage, shown } = outcome;
  const at = ({ case: text }: CaseResult) => order.get(text) as number;
  const [finding] = findings;
  return {
    ...{ count, recent, more },
    coverage: { counts: mutable(coverage.counts), exponents: coverage.exponents },
    worst: shown.slice(findings.length).sort((x, y) => at(x) - at(y)),
    ...(finding === undefined ? {} : { finding }),
  };
}

/** Returns only the given sizes. */
const given = (around: NonNullable<RoundTarget['around']>): NearbySizes =>
  Object.fromEntries(Object.entries(around).filter(([, sizes]) => sizes !== undefined));

const mutable = (counts: Readonly<Record<string, Readonly<Record<string, number>>>>) =>
  Object.fromEntries(Object.entries(counts).map(([topic, seen]) => [topic, { ...seen }]));

/** Returns all rounds of a campaign, the first ones of all targets before the second ones. */
export const listRounds = (plan: RoundsPlan): RoundPlace[] =>
  Array.from({ length: roundsOf(plan) }, (_, round) =>
    plan.targets.map((_, target) => ({ target, round })),
  ).flat();
