import { ownScript } from '../base/node/own-script.ts';
import type { Flags } from '../config/flags.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { JudgeHere } from '../farm/gateway/trusted.ts';
import type { StoredCampaign } from '../farm/stored.ts';
import { type Job, type JobCase, startJob } from '../run/node/job-process.ts';
import type { JobArgs } from './serve-job.ts';

const JOB = ownScript('./job', import.meta.url);
/** One of our kernels, so that a device is opened. */
const KERNELS = ['classical:naive'];

/** A gateway's own judge. */
export interface GatewayJudge {
  readonly judge: JudgeHere;
  close(): Promise<void>;
}

/**
 * Judges cases one list after the other in a process of its own, as workers do, so that the gateway answers meanwhile. It is started
 * for the first, and another one after it ended.
 * @param say told once why nothing can be judged here.
 */
export function gatewayJudge(
  flags: Flags,
  { thresholds }: StoredCampaign,
  say: (sentence: string) => void,
): GatewayJudge {
  // No other thresholds than those of the campaign.
  const args: JobArgs = { flags: { ...flags, ...thresholds, jobs: undefined }, kernels: KERNELS };
  const starting = () => startJob({ module: JOB, args });
  let job: Promise<Job> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isTold = false;
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
  const ended = (why: string): Error => {
    job = undefined;
    if (!isTold)
      say(`The gateway cannot judge cases itself, so that batches wait for a second worker: ${why}`);
    isTold = true;
    return new Error(why);
  };
  return {
    judge: (texts, marking) =>
      inTurn(async () => {
        job ??= starting();
        const open = await job.catch((error: Error) => Promise.reject(ended(error.message)));
        const results: CaseResult[] = [];
        const cases = texts.map(
          (text, at): JobCase => ({ at, text, after: [], series: false, detailed: false }),
        );
        const words = { cases, marks: marking && [...marking.marks] };
        const why = await open.ask(words, (answer) => {
          if (typeof answer !== 'object') return false;
          if ('mark' in answer) marking?.onMark?.(answer.mark);
          if ('at' in answer) results.push(answer.result);
          return 'aside' in answer;
        });
        if (why === undefined) return results;
        open.kill();
        throw ended(`the process that judges ${why}`);
      }),
    close: () => inTurn(async () => (await job?.catch(() => undefined))?.end()),
  };
}
