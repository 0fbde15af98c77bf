import { ParanoiaError } from '../base/errors.ts';
import { type GateCall, gate } from '../config/gate.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import { openOwnDevice } from '../gpu/open-own.ts';
import { readResults } from '../pages/read-results.ts';
import { probed } from '../run/probed.ts';
import type { Results } from '../run/results.ts';
import {
  ARITHMETIC,
  arithmeticPart,
  growingReport,
  resultsSoFar,
  SPEEDS,
  speedsPart,
  wholeReport,
} from './drawn.ts';
import { complaintsOf, PASTED, pastedKernel, replayOf } from './pasted.ts';
import type { Asked, Drawn, Kept, Told } from './protocol.ts';
import { linkOf, type Shown, shownOf } from './shared.ts';
import { type Speed, timeKernels } from './speeds.ts';

/** Our kernels on a visitor's GPU: every size class that fits a phone, and what tells wrong arithmetic soonest. */
const OURS: GateCall = {
  kernels: ['classical:register', 'strassen:register', 'winograd:register'],
  sizes: [17, 32, 64, 100, 128, 256],
  levels: [0, 1, 2],
  inputs: ['uniform', 'integers', 'special-values'],
  replicates: 1,
};

/** Milliseconds between two drawings of a report that grows. */
const PATIENCE = 700;

/** A run that may go on where it ended. */
interface Run {
  readonly call: GateCall;
  /** Whether our kernels are timed after it. */
  readonly isTimed: boolean;
  /** What was judged before the device was lost or the visitor ended it. */
  readonly judged: CaseResult[];
}

/** What the worker of the page does, one thing at a time; what it finds it tells. */
export class Session {
  private readonly tell: (told: Told) => void;
  private readonly openDevice: () => Promise<OpenDevice>;
  private stopping = new AbortController();
  private last: Run | undefined;

  /** @param openDevice opens the visitor's GPU. */
  constructor(tell: (told: Told) => void, openDevice: () => Promise<OpenDevice> = openOwnDevice) {
    [this.tell, this.openDevice] = [tell, openDevice];
  }

  /** Does what the page asks; whatever goes wrong is told as a sentence. */
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
    if (asked.kind === 'kernel') {
      const kernel = pastedKernel(asked.source);
      const call = { kernels: [kernel], replay: replayOf(kernel.name) };
      return this.judge({ call, isTimed: false, judged: [] }, asked.source);
    }
    return this.judge({ call: OURS, isTimed: true, judged: [] });
  }

  /** Shows results that were made elsewhere. */
  private async show(shown: Shown, doubts: readonly string[]): Promise<void> {
    const { results, speeds } = shown;
    const timed = speeds.length === 0 ? {} : speedsPart(speeds, undefined);
    const beside = speeds.length === 0 ? [] : [SPEEDS];
    this.draw({ ...timed, ...wholeReport(results, doubts, beside) }, true);
    this.tell({ kind: 'ended', says: '', canResume: false, kept: await keptOf(shown) });
  }

  private async judge(run: Run, source?: string): Promise<void> {
    this.last = undefined;
    this.doing('Opening the GPU');
    const open = await this.openDevice();
    try {
      const complaints = source === undefined ? [] : await complaintsOf(open, source);
      if (complaints.length > 0) {
        this.tell({ kind: 'problem', says: doesNotCompile(complaints.length), complaints });
        this.tell({ kind: 'ended', says: '', canResume: false });
        return;
      }
      this.doing('Asking the GPU how it computes');
      this.draw(arithmeticPart(await probed(open), open), true);
      const results = await this.gated(run, open);
      const isLost = open.lostReason() !== undefined;
      if (isLost || results.summary.interrupted) this.last = run;
      const isTimed = run.isTimed && this.last === undefined;
      this.draw(wholeReport(results, [], isTimed ? [ARITHMETIC, SPEEDS] : [ARITHMETIC]), true);
      const speeds = isTimed ? await this.timed(open) : [];
      this.tell({
        kind: 'ended',
        says: endOf(results, open.lostReason(), source !== undefined),
        canResume: this.last !== undefined,
        kept: await keptOf({ results, speeds }),
      });
    } finally {
      open.close();
    }
  }

  /** Judges what is left of a run, and draws as cases come. */
  private async gated(run: Run, open: OpenDevice): Promise<Results> {
    const before = [...run.judged];
    const shown: CaseResult[] = [];
    let machine: Machine = open;
    let drawnAt = performance.now();
    return gate({
      ...run.call,
      device: open,
      known: before,
      signal: this.stopping.signal,
      onStart: (on, cases) => {
        machine = on;
        this.doing('Judging', 0, cases);
      },
      onCase: (result, done, planned) => {
        shown.push(result);
        const isKnown = before.some((one) => one.case === result.case);
        // What the device was lost in is to be judged again.
        if (!isKnown && open.lostReason() === undefined) run.judged.push(result);
        this.doing(`Judging ${result.kernel}, ${result.m}×${result.k}×${result.n}`, done, planned);
        if (performance.now() - drawnAt < PATIENCE) return;
        this.draw(growingReport(resultsSoFar(machine, shown, planned)));
        drawnAt = performance.now();
      },
      onInspect: (kernel, question) => this.doing(question ?? `Inspecting ${kernel}`),
    });
  }

  private async timed(open: OpenDevice): Promise<Speed[]> {
    const note = noteOn(open);
    return timeKernels(open, {
      stop: () => this.stopping.signal.aborted,
      onEntrant: (says, done, of) => this.doing(`Timing ${says}`, done, of),
      onSpeeds: (speeds) => this.draw(speedsPart(speeds, note)),
    }).then((speeds) => {
      this.draw(speedsPart(speeds, note), true);
      return speeds;
    });
  }

  private doing(says: string, done?: number, of?: number): void {
    this.tell({ kind: 'doing', says, ...(done === undefined || of === undefined ? {} : { done, of }) });
  }

  private draw(parts: Drawn, final = false): void {
    this.tell({ kind: 'draw', parts, final });
  }
}

const FROM_LINK =
  'This was opened by a link, which anybody may have written: to be sure of it, run its case on the device yourself.';

const keptOf = async (shown: Shown): Promise<Kept> => ({
  file: `${JSON.stringify(shown.results, undefined, 1)}\n`,
  fragment: await linkOf(shown).catch(() => undefined),
});

const doesNotCompile = (count: number): string =>
  `The kernel does not compile: ${count === 1 ? 'one error' : `${count} errors`}, listed below it.`;

/** How a run ended. */
function endOf(
  { summary: { run, planned, interrupted } }: Results,
  lost: string | undefined,
  isPasted: boolean,
): string {
  if (lost !== undefined)
    return `The GPU was lost (${lost}), as browsers do when a tab sleeps or a driver restarts: ${run} of ${planned} cases are kept, and judging can go on.`;
  if (interrupted) return `Stopped: ${run} of ${planned} cases are kept, and judging can go on.`;
  return isPasted ? `Done. To repeat a case elsewhere, save the kernel as ${PASTED} first.` : 'Done.';
}

/** What to know of speeds on a device. */
function noteOn({ fingerprint: { kind } }: OpenDevice): string | undefined {
  return kind === 'software'
    ? 'This adapter is software: its speeds depend on what else the processor does, and only their ratios tell anything.'
    : undefined;
}

/** Of what went wrong, one sentence. */
function sentenceOf(error: unknown): string {
  if (error instanceof ParanoiaError) return error.message;
  return `Something in gemm-paranoia itself went wrong: ${error instanceof Error ? error.message : String(error)}`;
}
