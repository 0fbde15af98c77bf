import type { Random } from '../../../base/random.ts';
import { allBuiltinNames } from '../../../kernels/builtin-plan.ts';
import { parseCase } from '../../../problem/case.ts';
import { noBaselines } from '../../../run/baselines.ts';
import { notForStrangers } from '../../messages.ts';
import { addBatch } from '../../node/batch-files.ts';
import { batchIndex, halvesIn } from '../../node/batch-index.ts';
import { shownId } from '../../node/campaign-file.ts';
import { pause } from '../../node/feed.ts';
import { type AnyMachine, addMachine, machineKey } from '../../node/machine-file.ts';
import { remainingOf } from '../../node/remaining.ts';
import type { Outcome, Queue } from '../../queue.ts';
import type { Store } from '../../store.ts';
import type { StoredCampaign } from '../../stored.ts';
import type { Batch } from '../../work.ts';
import { type Believed, Ledger, type Opinion, type StrangersMachine } from '../ledger.ts';
import type { JudgeHere } from '../trusted.ts';
import { type Served, type ServeOptions, serveGateway } from './serve-gateway.ts';

/** What a gateway works with. */
export interface GatewayOptions extends Pick<ServeOptions, 'host' | 'port' | 'tls'> {
  readonly store: Store;
  readonly queue: Queue;
  readonly campaign: StoredCampaign;
  /** Judges cases on this machine. */
  readonly judge: JudgeHere;
  readonly random: Pick<Random, 'uniform01'>;
  /** Cases of each batch that are judged here as well, and that are known to fail; the share of batches that two strangers judge. */
  readonly spots: number;
  readonly planted: number;
  readonly again: number;
  readonly leaseSeconds: number;
  readonly stopped: AbortSignal;
  readonly say: (sentence: string) => void;
  readonly onListen?: (served: Served) => void;
}

/** What came of it. */
export interface GatewayOutcome {
  /** Batches that are in the store now, and those on which two workers disagree. */
  readonly settled: number;
  readonly disputed: number;
  /** Batches that waited for a second worker when it ended. */
  readonly doubtful: number;
  readonly isWhole: boolean;
  readonly banned: readonly string[];
}

/** Milliseconds between looks at what is done. */
const LOOK = 1000;
const RENEWALS = 4;
/** How long workers may still ask, so that they hear that all is done. */
const FAREWELL = 5000;

/**
 * Leases batches of a campaign to strangers until all are believed or it is to stop; then what is believed goes to the store.
 * @throws ParanoiaError `not-for-strangers`, `open-gateway`, `not-listening`, and those of stores and queues
 */
export async function runGateway(options: GatewayOptions): Promise<GatewayOutcome> {
  const { store, campaign, stopped, leaseSeconds, say } = options;
  requireBuiltin(campaign);
  const index = batchIndex(campaign);
  const now = () => performance.now();
  const ledger = new Ledger({ ...options, now, find: (id) => index.find(id) });
  let isWhole = false;
  const served = await serveGateway({
    ...{ ...options, campaign: campaign.id, ledger, say, finished: () => isWhole },
    nameOf: ({ adapter, arithmetic }) =>
      machineKey(campaign, jobMachine({ adapter, arithmetic }), noBaselines('')),
  });
  options.onListen?.(served);
  try {
    let sweptAt = now();
    let told = 0;
    while (!stopped.aborted && !isWhole) {
      await pause(LOOK, stopped);
      if (now() - sweptAt > (1000 * leaseSeconds) / RENEWALS) {
        sweptAt = now();
        await ledger.sweep();
      }
      isWhole = await allBelieved(store, campaign, ledger.believed());
      const { doubtful } = ledger;
      if (doubtful > told)
        say(`${doubtful} batches wait for a second worker on the same adapter, with another key.`);
      told = doubtful;
    }
    const { doubtful, banned } = ledger;
    let disputed = 0;
    const all = ledger.believed();
    for (const one of all) if (await settle(one, ledger, options)) disputed++;
    await ledger.close();
    if (isWhole) await pause(FAREWELL, stopped);
    return { settled: all.length, disputed, doubtful, isWhole, banned };
  } finally {
    await served.close();
  }
}

/** @throws ParanoiaError `not-for-strangers` */
function requireBuiltin({ id, files, batches, cases }: StoredCampaign): void {
  const refuse = (why: string) => notForStrangers({ campaign: shownId(id), why });
  if (files.length > 0) throw refuse(`it is of ${files[0].name}, whose code strangers do not have`);
  if (batches.some((batch) => 'inspect' in batch)) throw refuse('it inspects kernels');
  if (batches.some((batch) => 'fuzz' in batch)) throw refuse('its cases are drawn where they are judged');
  const other = cases
    .map(({ case: text }) => parseCase(text).kernel)
    .find((kernel) => !allBuiltinNames.includes(kernel));
  if (other !== undefined) throw refuse(`its kernel ${other} is none of ours`);
}

/** Whether all that is left of a campaign is believed, whole or as halves. */
async function allBelieved(
  store: Store,
  campaign: StoredCampaign,
  found: readonly Believed[],
): Promise<boolean> {
  const known = new Set(found.map(({ batch }) => batch.id));
  const isKnown = async (batch: Batch): Promise<boolean> => {
    if (known.has(batch.id)) return true;
    const [one, other] = await halvesIn(campaign, batch);
    return one !== undefined && (await isKnown(one)) && (await isKnown(other));
  };
  for (const batch of (await remainingOf(store, campaign)).left) if (!(await isKnown(batch))) return false;
  return true;
}

/** Puts what is believed of a batch into the store. @returns whether two workers disagree on it */
async function settle(one: Believed, ledger: Ledger, options: GatewayOptions): Promise<boolean> {
  const { store, campaign, say } = options;
  const { batch, queued, opinions } = one;
  const dispute = ledger.disagreement(one);
  // Of two that agree one is enough; of two that do not, both are kept, so that nothing is collected of them.
  for (const opinion of dispute === undefined ? opinions.slice(0, 1) : opinions) {
    const machine = await addMachine(store, campaign, jobMachine(opinion.machine.machine), noBaselines(''));
    const differs = await addBatch(store, batch, machine, campaign, opinion.found);
    if (differs !== undefined && dispute === undefined) say(differs.message);
  }
  if (dispute !== undefined) say(dispute.message);
  await queued.done(outcomeOf(opinions[0]));
  ledger.settle(batch.id);
  return dispute !== undefined;
}

function outcomeOf({ found: { cases } }: Opinion): Outcome {
  const count = (wanted: string) => cases.filter(({ verdict }) => verdict === wanted).length;
  return { pass: count('pass'), fail: count('fail'), inconclusive: count('inconclusive') };
}

/** A stranger's machine as one that judges here. */
function jobMachine({ adapter, arithmetic }: StrangersMachine['machine']): AnyMachine {
  const { chosenBecause, ...fingerprint } = adapter;
  return { fingerprint, arithmetic, chosenBecause };
}
