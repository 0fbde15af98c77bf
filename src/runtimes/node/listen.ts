import { ParanoiaError } from '../../base/errors.ts';
import { noAdapter } from '../../gpu/messages.ts';
import { START_UP, startDeadline } from '../../kernels/deadline.ts';
import { parseCase } from '../../problem/case.ts';
import { type Baselines, noBaselines } from '../../run/baselines.ts';
import type { JudgeOptions, RunOutcome } from '../../run/judge.ts';
import { runtimeEnded, runtimeHangs, runtimeNotStarted, runtimeWithoutGpu } from '../messages.ts';
import {
  decodeCase,
  fromWireError,
  type RuntimeMessage,
  type WireError,
  type WireMachine,
  type WireOutcome,
} from '../wire.ts';
import type { Runtime } from './runtime.ts';
import type { ServedContent } from './serve.ts';

/** Callbacks and answers for a run in another runtime. */
export interface RuntimeCallbacks
  extends Pick<JudgeOptions, 'baselines' | 'stop' | 'onStart' | 'onCase' | 'onInspect'> {
  /** The seconds for which the runtime may be silent, during a case of a kernel or of none. */
  readonly patience: (kernel?: string) => number;
}

export interface RuntimeConnection {
  /** The outcome of the run. @throws ParanoiaError if the run has none */
  readonly judged: Promise<RunOutcome>;
  /** Handlers of the runtime's messages and requests. */
  readonly ears: Pick<ServedContent, 'onTold' | 'baselines' | 'onHello' | 'onGone'>;
  /** Ends the run, because the runtime has ended. @param why the reason as a clause */
  ended(why: string): void;
  /** Stops listening. */
  close(): void;
}

/** Milliseconds in which an ended process may give its reason, before the lost connection is reported. */
const GRACE = 1000;

/** Listens to a runtime until it reports its outcome, ends, or is silent for too long. */
export function listenTo(runtime: Runtime, hearing: RuntimeCallbacks): RuntimeConnection {
  const { name } = runtime;
  const { patience, stop = () => false } = hearing;
  let settle = { resolve: (_: RunOutcome) => {}, reject: (_: unknown) => {} };
  const judged = new Promise<RunOutcome>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Avoids an unhandled rejection: the caller may see another error first.
  judged.catch(() => {});
  const run = followRun(hearing);
  let allowed = START_UP;
  const silent = startDeadline(allowed, () => settle.reject(hanging(name, run.at(), allowed)));
  const heard = () => {
    allowed = patience(run.kernel());
    silent.restart(allowed);
  };
  const ended = (why: string) => {
    const at = run.at();
    const none = runtimeNotStarted({ runtime: name, why });
    settle.reject(at === undefined ? none : runtimeEnded({ runtime: name, at, why }));
  };
  /** Runs work, and ends the run if the work fails. */
  const attempt = async <T>(work: () => Promise<T> | T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      settle.reject(error);
      throw error;
    } finally {
      heard();
    }
  };
  return {
    judged,
    ended,
    close: () => silent.cancel(),
    ears: {
      onHello() {
        run.begin();
        heard();
      },
      async onTold(told) {
        await attempt(() => {
          if ('error' in told) throw refusalOf(told.error, runtime, run.at() !== undefined);
          const found = run.hear(told);
          if (found !== undefined) settle.resolve(found);
        });
        return stop();
      },
      baselines: (id) => attempt(() => run.baselines(id)),
      onGone: () => setTimeout(ended, GRACE, 'its page crashed or ran out of memory').unref(),
    },
  };
}

const hanging = (runtime: string, at: string | undefined, seconds: number): ParanoiaError =>
  at === undefined
    ? runtimeNotStarted({ runtime, why: `it did not request its task within ${START_UP} s` })
    : runtimeHangs({ runtime, at, seconds });

/** The error that ends a run. Where the runtime has no adapter, or cannot load its page, the error is about the runtime. */
function refusalOf(told: WireError, { name, advice }: Runtime, hasBegun: boolean): Error {
  const error = fromWireError(told);
  if (told.code === noAdapter.code) return runtimeWithoutGpu({ runtime: name, advice }, error);
  if (hasBegun) return error;
  return runtimeNotStarted({ runtime: name, why: `it cannot load its page (${told.message})` }, error);
}

function followRun({
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
