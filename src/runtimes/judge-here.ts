import { thisRuntime } from '../config/this-runtime.ts';
import { casesOption } from '../evidence/result-of.ts';
import { drawCasesAround } from '../gate/external-campaign.ts';
import { withShrunk } from '../gate/shrink-example.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import { openOwnDevice } from '../gpu/open.ts';
import { openHere } from '../kernels/open-here.ts';
import type { Baselines } from '../run/baselines.ts';
import { clockOf } from '../run/budget.ts';
import { FailureLimiter } from '../run/enough-failures.ts';
import { judge } from '../run/judge.ts';
import { openMachine } from '../run/open-machine.ts';
import type { RunCatalog } from '../run/run-catalog.ts';
import { readWaiver } from '../run/waivers.ts';
import { otherAdapter } from './messages.ts';
import {
  decodeCase,
  encodeCase,
  type RuntimeMessage,
  type RuntimeTask,
  toWireError,
  type WireMachine,
} from './wire.ts';

/** The connection to the process that started this runtime. */
export interface ParentConnection {
  /** Sends a message; messages arrive in order. */
  tell(told: RuntimeMessage): void;
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
export async function judgeHere(
  task: RuntimeTask,
  catalog: RunCatalog,
  teller: ParentConnection,
): Promise<void> {
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
    ...{
      ...judging,
      ...(campaign && { beside: drawCasesAround(campaign, catalog) }),
      catalog,
      stop,
      replay,
    },
    enough: endsEarly ? new FailureLimiter() : undefined,
    asked: asked.map(decodeCase),
    sample: sample.map(decodeCase),
    waivers: waivers.map((waiver) => readWaiver(waiver)),
    baselines: (id) => teller.baselines(id),
    open: (kernels) =>
      openMachine(kernels, {
        ...{ catalog, processor: thisRuntime, sessionOf: openHere },
        openDevice: () => openWanted(adapter, known),
      }),
    onStart: (on, planned) => teller.tell({ on: tellMachine(on), planned: planned.map(encodeCase) }),
    async onBegin(value) {
      ended ||= await teller.begin(encodeCase(value).text);
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
  const told = broken === undefined ? outcome : { ...outcome, broken: toWireError(broken) };
  teller.tell({ outcome: told, on: tellMachine(machine) });
}

const tellMachine = ({ fingerprint, arithmetic, chosenBecause }: Machine): WireMachine => ({
  ...{ fingerprint, arithmetic, chosenBecause },
});

/** Opens the device of this runtime. @throws ParanoiaError `other-adapter` if it is not of the requested kind */
async function openWanted(wanted: RuntimeTask['adapter'], known: RuntimeTask['known']): Promise<OpenDevice> {
  const open = await openOwnDevice(known);
  const { kind, name, dawn: runtime } = open.fingerprint;
  if (wanted === undefined || kind === wanted) return open;
  open.close();
  throw otherAdapter({ wanted, runtime, found: name, kind });
}
