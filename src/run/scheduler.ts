import { ParanoiaError } from '../base/errors.ts';
import { loadPart } from '../base/part.ts';
import { type Clock, wallClock } from '../base/time.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { type CaseLimits, defaultThresholds } from '../evidence/checks/check.ts';
import type { Evaluator } from '../evidence/evaluate.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { JudgingItems } from '../evidence/items.ts';
import { type ResultOptions, replayCommand, resultOf } from '../evidence/result-of.ts';
import { WrongSweptProduct } from '../evidence/sweep-fault.ts';
import type { Machine } from '../gpu/device.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { clockAndPidOf } from '../kernels/simulated-clock-and-pid.ts';
import { type Case, parseCase } from '../problem/case.ts';
import { History, type Moment } from './history.ts';
import { choiceOf, type KernelChoice, type KernelResolver, kernelOf } from './kernel-of.ts';
import type { PlannedCase } from './planned-case.ts';

export interface CaseOutcome {
  readonly case: Case;
  readonly result: CaseResult;
  /** The evidence. Undefined without a product. */
  readonly evidence: Evidence | undefined;
  /** True if the device was lost during the case. */
  readonly lost: boolean;
  /** True if the kernel threw an error in place of a product. */
  readonly threw?: boolean;
  /** Its position among the cases of its kernel. Undefined where the position does not matter. */
  readonly moment?: Moment | undefined;
}

export interface JudgeCaseOptions extends Omit<ResultOptions, 'checks'> {
  readonly limits: CaseLimits;
  /** True if reruns of a failure must end. Asked between runs; what was found so far is kept. */
  readonly stop?: (() => boolean) | undefined;
}

/** The machine and the tools of a scheduler. */
export interface SchedulerOptions extends Pick<ResultOptions, 'replay'> {
  readonly machine: Machine;
  /** Opens another machine after a device is lost. */
  readonly reopen: () => Promise<Machine>;
  readonly evaluator: Evaluator;
  /** Returns kernels. @defaultValue the built-in ones */
  readonly kernelOf?: KernelResolver | undefined;
  /** @defaultValue {@link defaultThresholds} */
  readonly limits?: CaseLimits | undefined;
  /** Earlier time of each kernel on failures of its own. @defaultValue none */
  readonly blamings?: Map<string, BlameAccount> | undefined;
  /** Clock of all time limits. @defaultValue this machine's */
  readonly clock?: Clock | undefined;
}

/** Seconds for reruns of a kernel's own failures. Later failures are reported as they were found. */
const BLAMING = 10;
/** Most successive own failures of a kernel that are run again. Later failures are reported as they were found. */
const OWN = 4;

/** A rerun that was ended in the middle. Earlier findings stand. */
class Ended extends Error {}

/** Time of the reruns of a kernel's own failures, and the last sequence after which a case failed. */
export interface BlameAccount {
  readonly milliseconds: number;
  /** Successive failures that were the kernel's own. */
  readonly own?: number | undefined;
  readonly known?: readonly Case[] | undefined;
}

/** Judges cases, one by one or in batches where that is faster. A lost device costs the current case, and is replaced. */
export class Scheduler {
  private readonly options: SchedulerOptions;
  private open: Machine;
  private kernels = new Map<string, Kernel>();
  private lost: Machine | undefined;
  private replaced: Promise<void> = Promise.resolve();
  private readonly history = new History();
  private readonly blamings: Map<string, BlameAccount>;

  constructor(options: SchedulerOptions) {
    this.options = options;
    this.open = options.machine;
    this.blamings = options.blamings ?? new Map();
  }

  /** The items of cases and checks. */
  get items(): JudgingItems {
    return this.options.evaluator.items;
  }

  /** The machine in use. It is not the first one where a device was lost. */
  get machine(): Machine {
    return this.open;
  }

  /** Returns the kernel of a case, if it exists already. */
  known(value: Case): Kernel | undefined {
    return this.kernels.get(keyOf(choiceOf(value)));
  }

  /**
   * Returns the kernel of cases.
   * @throws ParanoiaError `unknown-name`, `precision-unserved`, `no-adapter`
   */
  async kernel(choice: KernelChoice): Promise<Kernel> {
    const { kernelOf: make = kernelOf } = this.options;
    const key = keyOf(choice);
    const kernel = this.kernels.get(key) ?? (await make(choice, this.open));
    this.kernels.set(key, kernel);
    return kernel;
  }

  /**
   * Judges cases, executing small products of our own kernels together.
   * @throws ParanoiaError from an impossible case (a wrong name, a refused input), and from reopening a machine.
   */
  async judge(cases: readonly Case[]): Promise<CaseOutcome[]> {
    const judged: CaseOutcome[] = [];
    for (const batch of groupIntoBatches(cases)) {
      judged.push(...(await this.together(batch)));
      // Yields to signals and timers.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return judged;
  }

  /** Runs {@link judge} for one case. */
  async one(value: Case): Promise<CaseOutcome> {
    const [judged] = await this.together([value]);
    return judged;
  }

  /**
   * Judges a case by itself: on operands that it shares with earlier ones, and twice where that is informative.
   * @throws ParanoiaError as {@link judge} does, but for reopening: {@link replace} is left to the caller.
   */
  async alone(value: Case, judging: JudgeCaseOptions): Promise<CaseOutcome> {
    const kernel = await this.kernel(choiceOf(value));
    const found = await this.options.evaluator.attempt({ case: value, kernel }, this.open);
    const wrong = found instanceof ParanoiaError ? found.cause : undefined;
    if (!(wrong instanceof WrongSweptProduct)) return this.judgedOf(value, kernel, found, judging);
    const judged = await this.sweptAlone(wrong, value, judging);
    return judged.result.verdict === 'fail'
      ? judged
      : this.judgedOf(value, kernel, wrong.errorOf(true), judging);
  }

  /** Judges a wrong product of a sweep alone. */
  private async sweptAlone(
    { product, alone }: WrongSweptProduct,
    sweep: Case,
    judging: JudgeCaseOptions,
  ): Promise<CaseOutcome> {
    const kernel = await this.kernel(choiceOf(product));
    this.remember(sweep, kernel, alone);
    return alone === undefined
      ? this.alone(product, judging)
      : this.judgedOf(product, kernel, alone, judging);
  }

  /** Runs {@link alone} after other cases, in a kernel that has computed nothing before them. */
  async after(
    others: readonly Case[],
    value: Case,
    judging: JudgeCaseOptions = this.usual,
  ): Promise<CaseOutcome> {
    await this.renew(value);
    for (const other of others) {
      const kernel = await this.kernel(choiceOf(other));
      this.remember(other, kernel, await this.options.evaluator.ask({ case: other, kernel }));
    }
    return this.alone(value, judging);
  }

  /** The default options of judging. */
  private get usual(): JudgeCaseOptions {
    const { limits = defaultThresholds, replay } = this.options;
    return { limits, replay };
  }

  /** Starts the next process for cases that need a new one: for the first such case without a process. */
  ahead(cases: readonly PlannedCase[]): void {
    for (const { after: [first] = [] } of cases) {
      if (first === undefined) continue;
      this.known(first)?.session.ahead?.(clockAndPidOf(first.problem.seed));
    }
  }

  /** Makes the kernel of a case forget its earlier products. */
  async renew(value: Case): Promise<void> {
    const { session } = await this.kernel(choiceOf(value));
    await session.renew?.();
    this.history.forget(session);
  }

  /**
   * Attributes a failure after running it again alone: its own, one after others, or by chance. A stateless kernel, or one whose time is
   * used up, is not run again.
   */
  async blamed(judged: CaseOutcome, given: Partial<JudgeCaseOptions> = {}): Promise<CaseOutcome> {
    const judging = { ...this.usual, ...given };
    const { case: value, moment, lost, result } = judged;
    if (result.verdict !== 'fail' || lost || moment === undefined) return judged;
    const key = keyOf(choiceOf(value));
    const before = this.blamings.get(key) ?? { milliseconds: 0 };
    const { own: inTurn = 0 } = before;
    if (before.milliseconds > 1000 * BLAMING || inTurn >= OWN) {
      if (before.known !== undefined) await this.renew(value);
      return judged;
    }
    const { clock = wallClock } = this.options;
    const start = clock();
    const { replay = replayCommand, stop = () => false } = judging;
    let last = judged;
    const shown = (found: CaseOutcome) => {
      if (found.result.verdict === 'inconclusive' && stop()) throw new Ended();
      if (found.result.verdict === 'fail') last = found;
      return found.result;
    };
    const rerun = {
      after: async (others: readonly Case[]) => shown(await this.after(others, value, judging)),
      again: async () => shown(await this.alone(value, judging)),
    };
    const { attributeFailure } = await loadPart('says whose a failure is', () => import('./blame.ts'));
    const blamed = await attributeFailure(result, moment, rerun, {
      replay,
      stop,
      clock,
      known: before.known,
    }).catch((error: unknown) => (error instanceof Ended ? result : Promise.reject(error)));
    if (blamed === result) return judged;
    const spent = blamed.after === undefined ? clock() - start : 0;
    const isOwn = blamed.after === undefined && blamed.unsteady === undefined;
    this.blamings.set(key, {
      milliseconds: before.milliseconds + spent,
      own: isOwn ? inTurn + 1 : 0,
      known: blamed.after?.map((text) => parseCase(text)) ?? before.known,
    });
    // The cases that spoiled this one are to spoil no other.
    if (blamed.after !== undefined) await this.renew(value);
    return { ...last, result: blamed };
  }

  /**
   * Opens another machine in place of a lost one, once for all cases that lost it.
   * @throws ParanoiaError if there is no other machine
   */
  replace(lost: Machine): Promise<void> {
    if (this.lost !== lost) {
      this.lost = lost;
      this.replaced = this.options.reopen().then((machine) => {
        this.open = machine;
        this.kernels = new Map();
      });
    }
    return this.replaced;
  }

  private async together(cases: readonly Case[]): Promise<CaseOutcome[]> {
    const { evaluator } = this.options;
    const requests: { case: Case; kernel: Kernel }[] = [];
    for (const value of cases) requests.push({ case: value, kernel: await this.kernel(choiceOf(value)) });
    const used = this.open;
    const found = await evaluator.evaluateMany(requests, used);
    if (found.some(isLost)) await this.replace(used);
    const judged: CaseOutcome[] = [];
    for (const [at, { case: value, kernel }] of requests.entries()) {
      // Alone, each case shows if it was the cause.
      if (cases.length > 1 && isLost(found[at])) judged.push(await this.one(value));
      else judged.push(await this.judgedOf(value, kernel, found[at], this.usual));
    }
    return judged;
  }

  private async judgedOf(
    value: Case,
    kernel: Kernel,
    found: Evidence | ParanoiaError,
    { limits, ...options }: JudgeCaseOptions,
  ): Promise<CaseOutcome> {
    const evidence = found instanceof ParanoiaError ? undefined : found;
    const result = await resultOf(value, kernel, found, limits, { ...options, checks: this.items.checks });
    return {
      case: value,
      result,
      evidence,
      lost: isLost(found),
      threw: found instanceof ParanoiaError && found.code === 'kernel-threw',
      moment: this.remember(value, kernel, found),
    };
  }

  /** Adds a case to the history of its kernel. After a case without a product the kernel is new. */
  private remember(value: Case, { session }: Kernel, found: unknown): Moment | undefined {
    if (session.renew === undefined) return undefined;
    const moment = this.history.add(session, value);
    if (found instanceof ParanoiaError && found.blames === 'kernel') this.history.forget(session);
    return moment;
  }
}

const keyOf = ({ kernel, precision = 'f32', fault }: KernelChoice) => [kernel, precision, fault].join();

const isLost = (found: Evidence | ParanoiaError): boolean =>
  found instanceof ParanoiaError && found.code === 'device-lost';

/** Returns the failed check of a case, if there is one. */
export function failedCheck({ result }: Pick<CaseOutcome, 'result'>): string | undefined {
  if (result.verdict !== 'fail') return undefined;
  return result.checks.find(({ status }) => status === 'fail')?.name;
}

/** Upper limits of one batch: cases, and products of two entries. */
const TOGETHER = { cases: 48, products: 2 ** 23 };

/** Cuts cases, in their order, into lists that are executed together. */
function groupIntoBatches(cases: readonly Case[]): Case[][] {
  const batches: Case[][] = [];
  let [batch, products]: [Case[], number] = [[], 0];
  for (const value of cases) {
    const { m, k, n } = value.problem;
    const own = m * k * n;
    if (batch.length === TOGETHER.cases || (batch.length > 0 && products + own > TOGETHER.products)) {
      batches.push(batch);
      [batch, products] = [[], 0];
    }
    batch.push(value);
    products += own;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
