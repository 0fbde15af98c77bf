import { EXIT } from '../base/errors.ts';
import type { Flags } from '../config/flags.ts';
import { conflictingOptions, missingOption } from '../config/messages.ts';
import { openExactPool } from '../exact/node/pool.ts';
import { campaignIn, shownId } from '../farm/node/campaign-file.ts';
import { announce, feed } from '../farm/node/feed.ts';
import { measuredSpeeds } from '../farm/node/measured-speeds.ts';
import { remainingOf } from '../farm/node/remaining.ts';
import { sayUnfinished } from '../farm/node/unfinished.ts';
import type { QueueState } from '../farm/queue.ts';
import type { Store } from '../farm/store.ts';
import { casesIn, type StoredCampaign } from '../farm/stored.ts';
import { campaignOn, kernelsOf } from '../run/campaign-on.ts';
import { judgesOn } from '../run/judge.ts';
import { openNodeMachine } from '../run/node/open-machine.ts';
import { Scheduler } from '../run/scheduler.ts';
import { readBaselines } from './baseline-file.ts';
import { campaignOptions } from './carry-out.ts';
import { openFarm } from './farm-options.ts';
import { storedFolder } from './files.ts';
import { type GatePlan, planGate } from './gate-plan.ts';
import { aboutCampaign } from './resume.ts';
import { say } from './say.ts';
import { signalled } from './signalled.ts';

/**
 * Puts a campaign into a store, and hands it out until it is done where a broker has to be fed.
 * @returns the exit code: inconclusive where it is ended before.
 */
export async function runSubmit(flags: Flags): Promise<number> {
  if (flags.untrusted === true) throw conflictingOptions({ one: 'farm submit', other: '--untrusted' });
  if (flags.maxSize !== undefined && flags.fuzz === undefined)
    throw missingOption({
      option: '--fuzz',
      need: 'the cases of each kernel to draw: --max-size bounds those',
    });
  const plan = flags.fuzz === undefined ? await planGate(flags) : undefined;
  if (plan === undefined && flags.fuzz === undefined) return EXIT.pass;
  const { store, queue } = await openFarm(flags, true);
  const stop = signalled();
  try {
    const campaign =
      plan === undefined
        ? await (await import('./farm-draw.ts')).plannedDraws(flags, store)
        : await planned(plan, flags, store);
    const { id, batches } = campaign;
    const where = `${store.where}${flags.queue === undefined ? '' : ` and ${queue.where}`}`;
    process.stdout.write(
      `Campaign ${shownId(id)}: ${casesIn(campaign)} ${plan === undefined ? 'drawn cases' : 'cases'} in ${batches.length} batches, in ${where}.\n`,
    );
    if (!queue.isFed) {
      const { left } = await remainingOf(store, campaign);
      await queue.offer(
        id,
        left.map((batch) => batch.id),
      );
      return EXIT.pass;
    }
    await announce(queue, campaign);
    const told = quarters(batches.length);
    const { left } = await feed({
      ...{ store, queue, campaign, stopped: stop.signal },
      onLook: ({ done }, state) => told(done.length, state),
    });
    if (left.length > 0) {
      say(`${left.length} of ${batches.length} batches are left: the same command goes on with them.`);
      return EXIT.inconclusive;
    }
    process.stdout.write(`All ${batches.length} batches are done: farm collect judges them.\n`);
    return EXIT.pass;
  } finally {
    await queue.close();
    stop.release();
  }
}

/** Plans a campaign on this machine, as a gate here would, and puts it into a store. */
async function planned(plan: GatePlan, flags: Flags, store: Store): Promise<StoredCampaign> {
  const { asked, sample, catalogue, options } = plan;
  const folder = storedFolder('baselines', options.baselines);
  const how = campaignOptions(plan, flags, (id) => readBaselines(folder, id));
  const opened = await openNodeMachine(kernelsOf([...asked, ...sample]), how);
  const judges = judgesOn(opened, { processor: openExactPool() });
  try {
    const found = await campaignOn(opened, how);
    const scheduler = new Scheduler({ ...judges.options, machine: opened.machine });
    const speeds = await measuredSpeeds(found.cases, scheduler, catalogue);
    const about = aboutCampaign(plan, flags);
    const { campaign, isNew } = await campaignIn(store, found, about, opened.machine, speeds);
    if (isNew) await sayUnfinished(store, campaign, say);
    else say('It was submitted before: what is done of it stays.');
    return campaign;
  } finally {
    await judges.close();
  }
}

const STEPS = 10;

/** Says each tenth of the way. */
function quarters(batches: number): (done: number, state: QueueState) => void {
  let last = -1;
  return (done, { workers, active }) => {
    const step = Math.floor((STEPS * done) / batches);
    if (step === last) return;
    last = step;
    say(`${done} of ${batches} batches, ${active} at work on ${workers ?? 0} workers.`);
  };
}
