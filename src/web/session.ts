import type { GateCall } from '../config/gate.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { openOwnDevice } from '../gpu/open.ts';
import { startDeadline } from '../kernels/deadline.ts';
import { readResults } from '../pages/read-results.ts';
import { probeMachine } from '../run/probe-machine.ts';
import { ARITHMETIC, arithmeticPart, renderWholeReport, SPEEDS, speedsPart } from './drawn.ts';
import { gpuSilent } from './messages.ts';
import { complaintsOf, pastedKernel, replayOfPasted, whyRefused } from './pasted.ts';
import type { KeptForms, PageMarkup, WorkerMessage, WorkerRequest } from './protocol.ts';
import { linkOf, type ShownResults, shownOf } from './shared.ts';
import {
  doesNotCompile,
  endOf,
  FROM_LINK,
  type GateRun,
  refuses,
  runPageGate,
  sentenceOf,
  timed,
  type WorkContext,
} from './working.ts';

/** The run of our kernels on a visitor's GPU: every size class that fits a phone, and the inputs that soonest reveal wrong arithmetic. */
const OURS: GateCall = {
  kernels: ['classical:register', 'strassen:register', 'winograd:register'],
  sizes: [17, 32, 64, 100, 128, 256],
  levels: [0, 1, 2],
  inputs: ['uniform', 'integers', 'special-values'],
  replicates: 1,
};

/** The worker's session. It does one task at a time, and sends messages about it. */
export class WorkerSession {
  private readonly tell: (told: WorkerMessage) => void;
  private readonly openDevice: () => Promise<OpenDevice>;
  private readonly patience: GpuTimeLimits;
  private stopping = new AbortController();
  private last: GateRun | undefined;

  /** @param openDevice opens the visitor's GPU */
  constructor(
    tell: (told: WorkerMessage) => void,
    openDevice: () => Promise<OpenDevice> = openOwnDevice,
    patience = PATIENCE,
  ) {
    [this.tell, this.openDevice, this.patience] = [tell, openDevice, patience];
  }

  /** Does a task of the page; any error is reported as a sentence. */
  async do(asked: WorkerRequest): Promise<void> {
    if (asked.kind === 'stop') {
      this.stopping.abort();
      return;
    }
    this.stopping = new AbortController();
    try {
      await this.work(asked);
    } catch (error) {
      this.tell({ kind: 'problem', says: sentenceOf(error) });
      this.tell({ kind: 'ended', says: '', canResume: (this.last?.judged.length ?? 0) > 0 });
    }
  }

  private async work(asked: Exclude<WorkerRequest, { kind: 'stop' }>): Promise<void> {
    if (asked.kind === 'file')
      return this.show({ results: readResults(asked.text, asked.name), speeds: [] }, []);
    if (asked.kind === 'link') return this.show(await shownOf(asked.fragment), [FROM_LINK]);
    if (asked.kind === 'resume' && this.last !== undefined) return this.judge(this.last);
    this.last = undefined;
    if (asked.kind === 'kernel') {
      const { source } = asked;
      const kernel = pastedKernel(source);
      const call = { kernels: [kernel], replay: replayOfPasted(kernel.name) };
      return this.judge({ call, pasted: { kernel, source }, judged: [] });
    }
    return this.judge({ call: OURS, judged: [] });
  }

  /** Shows results that were made elsewhere. */
  private async show(shown: ShownResults, doubts: readonly string[]): Promise<void> {
    const { results, speeds } = shown;
    const timed = speeds.length === 0 ? {} : speedsPart(speeds, undefined);
    const beside = speeds.length === 0 ? [] : [SPEEDS];
    this.draw({ ...timed, ...renderWholeReport(results, doubts, beside) }, true);
    this.tell({ kind: 'ended', says: '', canResume: false, kept: await keptOf(shown) });
  }

  private async judge(run: GateRun): Promise<void> {
    this.last = run;
    this.doing('Opening the GPU');
    const open = await this.opened();
    try {
      if (run.pasted !== undefined && (await this.isRefused(run.pasted, open))) return;
      this.doing('Probing the arithmetic of the GPU');
      this.draw(arithmeticPart(await this.unlessStopped(probeMachine(open)), open), true);
      const { results, silence } = await runPageGate(run, open, this.working);
      const lost = open.lostReason();
      if (silence === undefined && lost === undefined && !results.summary.interrupted) this.last = undefined;
      const isTimed = run.pasted === undefined && this.last === undefined;
      this.draw(renderWholeReport(results, [], isTimed ? [ARITHMETIC, SPEEDS] : [ARITHMETIC]), true);
      const { speeds, why = silence } = isTimed ? await timed(open, this.working) : { speeds: [] };
      this.tell({
        kind: 'ended',
        says: endOf(results, lost, run.pasted !== undefined),
        canResume: this.last !== undefined,
        kept: await keptOf({ results, speeds }),
      });
      if (why !== undefined) this.tell({ kind: 'problem', says: why });
    } finally {
      open.close();
    }
  }

  /** Opens the GPU; a device that opens after the wait has ended is closed. */
  private async opened(): Promise<OpenDevice> {
    const opening = this.openDevice();
    try {
      return await this.unlessStopped(waitForAnswer(opening, this.patience.opening));
    } catch (error) {
      void opening.then(
        (open) => open.close(),
        () => {},
      );
      throw error;
    }
  }

  private unlessStopped<T>(work: Promise<T>): Promise<T> {
    return waitForAnswer(work, this.patience.stopping, this.stopping.signal);
  }

  /** True if the device refuses a kernel; the reason is reported. */
  private async isRefused(
    { kernel, source }: NonNullable<GateRun['pasted']>,
    open: OpenDevice,
  ): Promise<boolean> {
    this.doing('Compiling the kernel');
    const complaints = await this.unlessStopped(complaintsOf(open, source));
    const refusal =
      complaints.length > 0 ? undefined : await this.unlessStopped(whyRefused(open, source, kernel));
    if (complaints.length === 0 && refusal === undefined) return false;
    const says = refusal === undefined ? doesNotCompile(complaints.length) : refuses(refusal);
    this.tell({ kind: 'problem', says, complaints });
    this.tell({ kind: 'ended', says: '', canResume: false });
    return true;
  }

  /** The callbacks and the end signal for judging and timing. */
  private get working(): WorkContext {
    return {
      signal: this.stopping.signal,
      doing: this.doing.bind(this),
      draw: this.draw.bind(this),
      unlessStopped: this.unlessStopped.bind(this),
    };
  }

  private doing(says: string, done?: number, of?: number): void {
    this.tell({ kind: 'doing', says, ...(done === undefined || of === undefined ? {} : { done, of }) });
  }

  private draw(parts: PageMarkup, final = false): void {
    this.tell({ kind: 'draw', parts, final });
  }
}

const keptOf = async (shown: ShownResults): Promise<KeptForms> => ({
  file: `${JSON.stringify(shown.results, undefined, 1)}\n`,
  fragment: await linkOf(shown).catch(() => undefined),
});

/** Time limits in seconds for a GPU that may never answer, because a kernel blocks it. */
interface GpuTimeLimits {
  /** The time limit of opening it. */
  readonly opening: number;
  /** The time limit after the visitor has asked to stop. */
  readonly stopping: number;
}

const PATIENCE: GpuTimeLimits = { opening: 30, stopping: 10 };

/**
 * Returns the result of work, unless the GPU is silent too long; a later result is ignored.
 * @param from the limit counts from its abort. @defaultValue from now
 * @throws ParanoiaError `gpu-silent`
 */
async function waitForAnswer<T>(work: Promise<T>, seconds: number, from?: AbortSignal): Promise<T> {
  let begin = () => {};
  let end = () => {};
  const silence = new Promise<never>((_, reject) => {
    begin = () => {
      const limit = startDeadline(seconds, () => reject(gpuSilent({ seconds })));
      end = () => limit.cancel();
    };
  });
  if (from === undefined || from.aborted) begin();
  else from.addEventListener('abort', begin, { once: true });
  try {
    return await Promise.race([work, silence]);
  } finally {
    from?.removeEventListener('abort', begin);
    end();
  }
}
