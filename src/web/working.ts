import { ParanoiaError } from '../base/errors.ts';
import { type GateCall, gate } from '../config/gate.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import type { WgslKernel } from '../kernels/user-kernel.ts';
import type { Results } from '../run/results.ts';
import { growingReport, resultsSoFar, speedsPart } from './drawn.ts';
import { PASTED } from './pasted.ts';
import type { PageMarkup } from './protocol.ts';
import { type SpeedRow, timeKernels } from './speeds.ts';

/** The least milliseconds between two drawings of a growing report. */
const REDRAWN = 700;

/** A run, which may continue where it ended. */
export interface GateRun {
  readonly call: GateCall;
  /** The visitor's kernel; undefined if our kernels are judged and then timed. */
  readonly pasted?: { readonly kernel: WgslKernel; readonly source: string };
  /** Results up to the end of the run, by a lost device or the visitor. */
  readonly judged: CaseResult[];
}

/** The callbacks and the end signal of work on a GPU. */
export interface WorkContext {
  readonly signal: AbortSignal;
  readonly doing: (says: string, done?: number, of?: number) => void;
  readonly draw: (parts: PageMarkup, final?: boolean) => void;
  /** Waits for work, but not long after a stop. @throws ParanoiaError `gpu-silent` */
  readonly unlessStopped: <T>(work: Promise<T>) => Promise<T>;
}

/** The results of judging, and the sentence on a GPU that stopped answering. */
interface Gated {
  readonly results: Results;
  readonly silence?: string;
}

/** Judges the rest of a run, and draws the report as cases come. */
export async function runPageGate(run: GateRun, open: OpenDevice, working: WorkContext): Promise<Gated> {
  const before = [...run.judged];
  const shown: CaseResult[] = [];
  let machine: Machine = open;
  let [all, drawnAt, isLeft] = [before.length, performance.now(), false];
  const running = gate({
    ...run.call,
    device: open,
    known: before,
    signal: working.signal,
    onStart: (on, cases) => {
      [machine, all] = [on, cases];
      working.doing('Judging', 0, cases);
    },
    onCase: (result, done, planned) => {
      if (isLeft) return;
      shown.push(result);
      const isKnown = before.some((one) => one.case === result.case);
      // The case during which the device was lost must be judged again.
      if (!isKnown && open.lostReason() === undefined) run.judged.push(result);
      working.doing(`Judging ${result.kernel}, ${result.m}×${result.k}×${result.n}`, done, planned);
      if (performance.now() - drawnAt < REDRAWN) return;
      working.draw(growingReport(resultsSoFar(machine, shown, planned)));
      drawnAt = performance.now();
    },
    onInspect: (kernel, question) => {
      if (!isLeft) working.doing(question ?? `Inspecting ${kernel}`);
    },
  });
  try {
    return { results: await working.unlessStopped(running) };
  } catch (error) {
    if (!(error instanceof ParanoiaError) || error.code !== 'gpu-silent' || shown.length === 0) throw error;
    isLeft = true;
    return { results: resultsSoFar(machine, shown, all, true), silence: error.message };
  }
}

/** The results of timing, and the reason why it ended early. */
interface Timed {
  readonly speeds: readonly SpeedRow[];
  readonly why?: string;
}

/** Times our kernels. Errors do not affect the results judged before. */
export async function timed(open: OpenDevice, working: WorkContext): Promise<Timed> {
  const note = noteOn(open);
  let speeds: readonly SpeedRow[] = [];
  let isLeft = false;
  const timing = timeKernels(open, {
    stop: () => working.signal.aborted,
    onEntrant: (says, done, of) => {
      if (!isLeft) working.doing(`Timing ${says}`, done, of);
    },
    onSpeeds: (some) => {
      if (isLeft) return;
      speeds = [...some];
      working.draw(speedsPart(speeds, note));
    },
  });
  const failed = await working.unlessStopped(timing).then(() => undefined, sentenceOf);
  isLeft = true;
  const lost = open.lostReason();
  const why = lost === undefined ? failed : lostInTiming(lost);
  working.draw(speedsPart(speeds, note), true);
  return why === undefined ? { speeds } : { speeds, why };
}

/** The warning about results from a link. */
export const FROM_LINK =
  'These results come from a link, which anyone may have written. To verify them, replay a case on the device yourself.';

export const doesNotCompile = (count: number): string =>
  `The kernel does not compile: ${count === 1 ? 'one error' : `${count} errors`}, listed below.`;

export const refuses = (why: string): string => `The device rejects the kernel: ${why.replace(/\.?$/, '.')}`;

/** Returns the sentence on how a run ended. */
export function endOf(
  { summary: { run, planned, interrupted } }: Results,
  lost: string | undefined,
  isPasted: boolean,
): string {
  if (lost !== undefined)
    return `The GPU was lost (${lost}). A sleeping tab or a driver restart can cause this. ${run} of ${planned} cases are kept. To continue, select Resume.`;
  if (interrupted) return `Stopped: ${run} of ${planned} cases are kept. To continue, select Resume.`;
  return isPasted ? `Done. To replay a case elsewhere, first save the kernel as ${PASTED}.` : 'Done.';
}

const lostInTiming = (why: string): string =>
  `The GPU was lost (${why}) during timing. All verdicts are complete. Speeds measured before the loss are shown.`;

/** Returns the warning about speeds on a device, if there is one. */
function noteOn({ fingerprint: { kind } }: OpenDevice): string | undefined {
  return kind === 'software'
    ? 'This adapter is software. Its speeds depend on the load of the CPU; compare only their ratios.'
    : undefined;
}

export function sentenceOf(error: unknown): string {
  if (error instanceof ParanoiaError) return error.message;
  return `Internal error of gemm-paranoia: ${error instanceof Error ? error.message : String(error)}`;
}
