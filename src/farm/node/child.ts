import { lookUp } from '../../base/objects.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Baselines } from '../../run/baselines.ts';
import type {
  DrawRound,
  JobCase,
  JobMessage,
  JobProcess,
  JobRequest,
  ProcessReport,
} from '../../run/node/job-process.ts';
import { endedWorkers } from '../messages.ts';
import type { StoredCampaign } from '../stored.ts';
import type { Batch } from '../work.ts';
import type { BatchRecord } from './batch-files.ts';

/** The campaign of a judging process, and where its sentences go. */
export interface JudgeProcessOptions {
  readonly campaign: StoredCampaign;
  readonly say: (sentence: string) => void;
}

/**
 * Asks a judging process for a batch.
 * @param known baselines for its results
 * @param ended the number of processes that crashed or hung on the batch, if it is to be given up: its unknown results are then
 * inconclusive
 * @returns undefined if the process ended or lost its device, so that the batch has no results
 */
export async function askChild(
  job: JobProcess,
  batch: Batch,
  known: Baselines,
  { campaign, say }: JudgeProcessOptions,
  ended?: number,
): Promise<BatchRecord | undefined> {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  const nothing = { cases: [], skipped: [], said: [], versions: {} };
  if (batch.inspect !== undefined) {
    const { kernel } = batch.inspect;
    if (ended !== undefined) {
      const { message } = endedWorkers({ what: `the inspection of ${kernel}`, count: ended });
      return { ...nothing, seconds: 0, uninspected: message, ended };
    }
    const answer = await inspected(job, { inspect: batch.inspect, budget: campaign.budget }, say);
    return answer && { ...nothing, seconds: seconds(), ...answer };
  }
  if (batch.fuzz !== undefined) {
    const { target, round } = batch.fuzz;
    const plan = campaign.fuzz as NonNullable<StoredCampaign['fuzz']>;
    if (ended !== undefined) {
      const what = `round ${round + 1} of ${plan.targets[target].kernel}`;
      return { ...nothing, seconds: 0, uninspected: endedWorkers({ what, count: ended }).message, ended };
    }
    const found = await drawn(job, { plan, place: batch.fuzz, seed: campaign.seed }, say);
    return found && { ...nothing, seconds: seconds(), ...found };
  }
  const cases = batch.places.map((at): JobCase => {
    const { case: text, after = [], series = false, detailed = false, needed = false } = campaign.cases[at];
    return { at, text, after, series, detailed, needed, baseline: lookUp(known.cases, text) };
  });
  const words: JobRequest =
    ended === undefined ? { cases, budget: campaign.budget } : { lost: cases[0], count: ended };
  const found = await judged(job, words, say);
  if (found === undefined) return undefined;
  const { results, aside } = found;
  return {
    ...{ seconds: seconds(), said: [...aside.said], versions: aside.versions as BatchRecord['versions'] },
    cases: cases.flatMap(({ at }) => results.get(at) ?? []),
    skipped: cases.filter(({ at }) => !results.has(at)).map(({ text }) => text),
    ...(ended === undefined ? {} : { ended }),
  };
}

async function judged(job: JobProcess, words: JobRequest, say: (sentence: string) => void) {
  const results = new Map<number, CaseResult>();
  let aside: ProcessReport | undefined;
  const why = await job.ask(words, (answer) => {
    if (typeof answer !== 'object') return false;
    if ('at' in answer) results.set(answer.at, answer.result);
    if ('aside' in answer) aside = answer.aside;
    return aside !== undefined;
  });
  if (why !== undefined) say(`A worker process ${why}. Another one restarts the batch.`);
  return aside === undefined || aside.interrupted ? undefined : { results, aside };
}

async function drawn(job: JobProcess, round: DrawRound, say: (sentence: string) => void) {
  let found: Pick<BatchRecord, 'fuzz' | 'said' | 'versions'> | undefined;
  const why = await job.ask({ round }, (answer) => {
    if (typeof answer === 'object' && 'round' in answer) {
      const { said, versions } = answer.aside;
      found = { fuzz: answer.round, said: [...said], versions: versions as BatchRecord['versions'] };
    }
    return found !== undefined;
  });
  if (why !== undefined) say(`A worker process ${why}. Another one restarts the round.`);
  return found;
}

async function inspected(
  job: JobProcess,
  words: Extract<JobRequest, { readonly inspect: unknown }>,
  say: (sentence: string) => void,
) {
  let found: Pick<BatchRecord, 'inspection' | 'uninspected'> | undefined;
  const why = await job.ask(words, (answer: JobMessage) => {
    if (typeof answer !== 'object') return false;
    if ('inspection' in answer) found = { inspection: answer.inspection };
    if ('uninspected' in answer) found = { uninspected: answer.uninspected };
    return found !== undefined;
  });
  if (why !== undefined) say(`A worker process ${why}. Another one restarts the inspection.`);
  return found;
}
