import { thisRuntime } from '../config/this-runtime.ts';
import { casesOption } from '../evidence/result-of.ts';
import { casesBeside } from '../gate/external-campaign.ts';
import { withShrunk } from '../gate/shrink-example.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import { openOwnDevice } from '../gpu/open-own.ts';
import { openHere } from '../kernels/open-here.ts';
import type { Baselines } from '../run/baselines.ts';
import { EnoughFailures } from '../run/enough-failures.ts';
import { judge } from '../run/judge.ts';
import { clockOf } from '../run/limit.ts';
import { openMachine } from '../run/open-machine.ts';
import type { RunCatalogue } from '../run/run-catalogue.ts';
import { readWaiver } from '../run/waivers.ts';
import { otherAdapter } from './messages.ts';
import { caseTold, type Task, tellCase } from './task.ts';
import { type Told, type ToldMachine, tellError } from './wire.ts';

/** The connection to the process that started this runtime. */
export interface Teller {
  /** Sends a message; messages arrive in order. */
  tell(told: Told): void;
  /** Reports that a case begins. @returns true if no further case may begin */
  begin(text: string): Promise<boolean>;
  /** Fetches the baselines of a machine. */
  baselines(id: string): Promise<Baselines>;
  /** True if the run must end. */
  stopped(): boolean;
}

/**
 * Judges a task in this runtime, on the device that it offers, and reports the results.
 * @throws ParanoiaError as {@link judge} does
 */
export async function judgeHere(task: Task, catalogue: RunCatalogue, teller: Teller): Promise<void> {
  const {
    asked,
    sample,
    waivers,
    campaign,
    replay: words,
    shrinking,
    adapter,
    known,
    judging,
    endsEarly,
  } = task;
  let ended = false;
  const stop = () => ended || teller.stopped();
  const { before, behind } = words;
  const replay = (...texts: string[]) => `${before}${casesOption(...texts)}${behind}`;
  const {
    machine,
    baselines: _,
    broken,
    ...outcome
  } = await judge({
    ...{ ...judging, ...(campaign && { beside: casesBeside(campaign, catalogue) }), catalogue, stop, replay },
    enough: endsEarly ? new EnoughFailures() : undefined,
    asked: asked.map(caseTold),
    sample: sample.map(caseTold),
    waivers: waivers.map((waiver) => readWaiver(waiver)),
    baselines: (id) => teller.baselines(id),
    open: (kernels) =>
      openMachine(kernels, {
        ...{ catalogue, processor: thisRuntime, sessionOf: openHere },
        openDevice: () => openWanted(adapter, known),
      }),
    onStart: (on, planned) => teller.tell({ on: tellMachine(on), planned: planned.map(tellCase) }),
    async onBegin(value) {
      ended ||= await teller.begin(tellCase(value).text);
    },
    onCase: (result) => teller.tell({ result }),
    onInspect: (kernel, question) => teller.tell({ inspects: kernel, question }),
    shrink(groups, scheduler, bounds) {
      const clock = clockOf(judging.budget);
      const end = clock() + 1000 * shrinking;
      const late = () => teller.stopped() || clock() > end;
      return withShrunk(groups, { judge: scheduler, bounds, stop: late, replay });
    },
  });
  const told = broken === undefined ? outcome : { ...outcome, broken: tellError(broken) };
  teller.tell({ outcome: told, on: tellMachine(machine) });
}

const tellMachine = ({ fingerprint, arithmetic, chosenBecause }: Machine): ToldMachine => ({
  ...{ fingerprint, arithmetic, chosenBecause },
});

/** Opens the device of this runtime. @throws ParanoiaError `other-adapter` if it is not of the requested kind */
async function openWanted(wanted: Task['adapter'], known: Task['known']): Promise<OpenDevice> {
  const open = await openOwnDevice(known);
  const { kind, name, dawn: runtime } = open.fingerprint;
  if (wanted === undefined || kind === wanted) return open;
  open.close();
  throw otherAdapter({ wanted, runtime, found: name, kind });
}
