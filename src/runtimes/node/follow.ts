import { ParanoiaError } from '../../base/errors.ts';
import { parseCase } from '../../problem/case.ts';
import { type Baselines, noBaselines } from '../../run/baselines.ts';
import type { JudgeOptions, RunOutcome } from '../../run/judge.ts';
import { decodeCase } from '../task.ts';
import {
  fromWireError,
  type RuntimeMessage,
  type WireError,
  type WireMachine,
  type WireOutcome,
} from '../wire.ts';

/** Follows a run by its messages, and calls the callbacks. */
export function followRun({
  baselines,
  onStart,
  onCase,
  onInspect,
}: Pick<JudgeOptions, 'baselines' | 'onStart' | 'onCase' | 'onInspect'>) {
  let at: string | undefined;
  let [done, planned] = [0, 0];
  let known: Baselines | undefined;
  let kernel: string | undefined;
  return {
    /** The kernel of the current case, if there is one. */
    kernel: () => kernel,
    /** The state of the run, as a clause; undefined before it has requested its task. */
    at: () => at,
    begin() {
      at = 'during startup';
    },
    async baselines(id: string): Promise<Baselines> {
      known = await baselines(id);
      return known;
    },
    /** Processes a message. @returns the outcome, if the message holds it */
    hear(told: Exclude<RuntimeMessage, { error: WireError }>): RunOutcome | undefined {
      if ('outcome' in told) return judgedBy(told.on, told.outcome, known);
      if ('on' in told) {
        planned = told.planned.length;
        onStart?.(machineTold(told.on), told.planned.map(decodeCase));
      } else if ('begins' in told) {
        kernel = parseCase(told.begins).kernel;
        at = `during the case ${told.begins}`;
      } else if ('result' in told) onCase?.(told.result, ++done, planned);
      else {
        kernel = told.inspects;
        at = `during the inspection of ${kernel}`;
        onInspect?.(told.inspects, told.question);
      }
      return undefined;
    },
  };
}

const machineTold = (told: WireMachine) => ({ ...told, close: () => {} });

function judgedBy(on: WireMachine, { broken, ...outcome }: WireOutcome, known?: Baselines): RunOutcome {
  const error = broken === undefined ? undefined : fromWireError(broken);
  return {
    ...outcome,
    machine: machineTold(on),
    baselines: known ?? noBaselines(on.fingerprint.id),
    ...(error instanceof ParanoiaError ? { broken: error } : {}),
  };
}
