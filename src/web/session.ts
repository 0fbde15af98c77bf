import type { GateCall } from '../config/gate.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { openOwnDevice } from '../gpu/open-own.ts';
import { readResults } from '../pages/read-results.ts';
import { probed } from '../run/probed.ts';
import { ARITHMETIC, arithmeticPart, SPEEDS, speedsPart, wholeReport } from './drawn.ts';
import { complaintsOf, pastedKernel, refusalOf, replayOf } from './pasted.ts';
import { answered, PATIENCE, type Patience } from './patience.ts';
import type { Asked, Drawn, Kept, Told } from './protocol.ts';
import { doesNotCompile, endOf, FROM_LINK, refuses, sentenceOf } from './said.ts';
import { linkOf, type Shown, shownOf } from './shared.ts';
import { gated, type Run, timed, type Working } from './working.ts';

/** The run of our kernels on a visitor's GPU: every size class that fits a phone, and the inputs that soonest reveal wrong arithmetic. */
const OURS: GateCall = {
  kernels: ['classical:register', 'strassen:register', 'winograd:register'],
  sizes: [17, 32, 64, 100, 128, 256],
  levels: [0, 1, 2],
  inputs: ['uniform', 'integers', 'special-values'],
  replicates: 1,
};

/** The worker's session. It does one task at a time, and sends messages about it. */
export class Session {
  private readonly tell: (told: Told) => void;
  private readonly openDevice: () => Promise<OpenDevice>;
  private readonly patience: Patience;
  private stopping = new AbortController();
  private last: Run | undefined;

  /** @param openDevice opens the visitor's GPU */
  constructor(
    tell: (told: Told) => void,
    openDevice: () => Promise<OpenDevice> = openOwnDevice,
    patience = PATIENCE,
  ) {
    [this.tell, this.openDevice, this.patience] = [tell, openDevice, patience];
  }

  /** Does a task of the page; any error is reported as a sentence. */
  async do(asked: Asked): Promise<void> {
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

  private async work(asked: Exclude<Asked, { kind: 'stop' }>): Promise<void> {
    if (asked.kind === 'file')
      return this.show({ results: readResults(asked.text, asked.name), speeds: [] }, []);
    if (asked.kind === 'link') return this.show(await shownOf(asked.fragment), [FROM_LINK]);
    if (asked.kind === 'resume' && this.last !== undefined) return this.judge(this.last);
    this.last = undefined;
    if (asked.kind === 'kernel') {
      const { source } = asked;
      const kernel = pastedKernel(source);
      const call = { kernels: [kernel], replay: replayOf(kernel.name) };
      return this.judge({ call, pasted: { kernel, source }, judged: [] });
    }
    return this.judge({ call: OURS, judged: [] });
  }

  /** Shows results that were made elsewhere. */
  private async show(shown: Shown, doubts: readonly string[]): Promise<void> {
    const { results, speeds } = shown;
    const timed = speeds.length === 0 ? {} : speedsPart(speeds, undefined);
    const beside = speeds.length === 0 ? [] : [SPEEDS];
    this.draw({ ...timed, ...wholeReport(results, doubts, beside) }, true);
    this.tell({ kind: 'ended', says: '', canResume: false, kept: await keptOf(shown) });
  }

  private async judge(run: Run): Promise<void> {
    this.last = run;
    this.doing('Opening the GPU');
    const open = await this.opened();
    try {
      if (run.pasted !== undefined && (await this.isRefused(run.pasted, open))) return;
      this.doing('Probing the arithmetic of the GPU');
      this.draw(arithmeticPart(await this.unlessStopped(probed(open)), open), true);
      const { results, silence } = await gated(run, open, this.working);
      const lost = open.lostReason();
      if (silence === undefined && lost === undefined && !results.summary.interrupted) this.last = undefined;
      const isTimed = run.pasted === undefined && this.last === undefined;
      this.draw(wholeReport(results, [], isTimed ? [ARITHMETIC, SPEEDS] : [ARITHMETIC]), true);
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
      return await this.unlessStopped(answered(opening, this.patience.opening));
    } catch (error) {
      void opening.then(
        (open) => open.close(),
        () => {},
      );
      throw error;
    }
  }

  private unlessStopped<T>(work: Promise<T>): Promise<T> {
    return answered(work, this.patience.stopping, this.stopping.signal);
  }

  /** True if the device refuses a kernel; the reason is reported. */
  private async isRefused(
    { kernel, source }: NonNullable<Run['pasted']>,
    open: OpenDevice,
  ): Promise<boolean> {
    this.doing('Compiling the kernel');
    const complaints = await this.unlessStopped(complaintsOf(open, source));
    const refusal =
      complaints.length > 0 ? undefined : await this.unlessStopped(refusalOf(open, source, kernel));
    if (complaints.length === 0 && refusal === undefined) return false;
    const says = refusal === undefined ? doesNotCompile(complaints.length) : refuses(refusal);
    this.tell({ kind: 'problem', says, complaints });
    this.tell({ kind: 'ended', says: '', canResume: false });
    return true;
  }

  /** The callbacks and the end signal for judging and timing. */
  private get working(): Working {
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

  private draw(parts: Drawn, final = false): void {
    this.tell({ kind: 'draw', parts, final });
  }
}

const keptOf = async (shown: Shown): Promise<Kept> => ({
  file: `${JSON.stringify(shown.results, undefined, 1)}\n`,
  fragment: await linkOf(shown).catch(() => undefined),
});
