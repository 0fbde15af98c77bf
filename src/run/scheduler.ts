import { ParanoiaError } from '../base/errors.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { defaultThresholds, type Limits } from '../evidence/checks/check.ts';
import type { Evaluator } from '../evidence/evaluate.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { type ResultOptions, resultOf } from '../evidence/result-of.ts';
import type { Machine } from '../gpu/device.ts';
import type { Kernel } from '../kernels/kernel.ts';
import type { Case } from '../problem/case.ts';
import { choiceOf, type KernelChoice, type KernelOf, kernelOf } from './kernel-of.ts';

/** A case that has been judged. */
export interface Judged {
  readonly case: Case;
  readonly result: CaseResult;
  /** Undefined where there was no product. */
  readonly evidence: Evidence | undefined;
  /** Whether the device was lost in it. */
  readonly lost: boolean;
}

/** What cases are judged on, and by what. */
export interface SchedulerOptions extends Pick<ResultOptions, 'checks' | 'replay'> {
  readonly machine: Machine;
  /** Another machine after a device is lost. */
  readonly reopen: () => Promise<Machine>;
  readonly evaluator: Evaluator;
  /** Where kernels come from. @defaultValue the built-in ones */
  readonly kernelOf?: KernelOf | undefined;
  /** @defaultValue {@link defaultThresholds} */
  readonly limits?: Limits | undefined;
}

/** Cases, and products of two entries, that are executed together at most. */
const TOGETHER = { cases: 48, products: 2 ** 23 };

/** Judges cases, one by one or as many together as pays; a lost device costs the case it was lost in, and is replaced. */
export class Scheduler {
  private readonly options: SchedulerOptions;
  private open: Machine;
  private kernels = new Map<string, Kernel>();
  private lost: Machine | undefined;
  private replaced: Promise<void> = Promise.resolve();

  constructor(options: SchedulerOptions) {
    this.options = options;
    this.open = options.machine;
  }

  /** The machine in use: another one than at the start where a device was lost. */
  get machine(): Machine {
    return this.open;
  }

  /** The kernel of a case, if it was asked for before. */
  known(value: Case): Kernel | undefined {
    return this.kernels.get(keyOf(choiceOf(value)));
  }

  /**
   * The kernel of cases.
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
   * Judges cases, executing small products of our own together.
   * @throws ParanoiaError from a case that cannot be (a wrong name, a refused input), and from reopening a machine.
   */
  async judge(cases: readonly Case[]): Promise<Judged[]> {
    const judged: Judged[] = [];
    for (const batch of batchesOf(cases)) {
      judged.push(...(await this.together(batch)));
      // Lets signals and timers in.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return judged;
  }

  /** {@link judge} for one case. */
  async one(value: Case): Promise<Judged> {
    const [judged] = await this.together([value]);
    return judged;
  }

  /**
   * Judges a case by itself: on operands that it shares with those before, and twice where that tells something.
   * @throws ParanoiaError as {@link judge} does, but for reopening: {@link replace} is left to the caller.
   */
  async alone(value: Case, limits: Limits, options: ResultOptions): Promise<Judged> {
    const kernel = await this.kernel(choiceOf(value));
    const found = await this.options.evaluator.attempt({ case: value, kernel }, this.open);
    return this.judgedOf(value, kernel, found, limits, options);
  }

  /**
   * Opens another machine in place of a lost one, once for all that lost it.
   * @throws ParanoiaError where there is none any more
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

  private async together(cases: readonly Case[]): Promise<Judged[]> {
    const { evaluator, limits = defaultThresholds, checks, replay } = this.options;
    const requests: { case: Case; kernel: Kernel }[] = [];
    for (const value of cases) requests.push({ case: value, kernel: await this.kernel(choiceOf(value)) });
    const used = this.open;
    const found = await evaluator.evaluateMany(requests, used);
    if (found.some(isLost)) await this.replace(used);
    const judged: Judged[] = [];
    for (const [at, { case: value, kernel }] of requests.entries()) {
      // Alone, each says whether it was the one.
      if (cases.length > 1 && isLost(found[at])) judged.push(await this.one(value));
      else judged.push(this.judgedOf(value, kernel, found[at], limits, { checks, replay }));
    }
    return judged;
  }

  private judgedOf(
    value: Case,
    kernel: Kernel,
    found: Evidence | ParanoiaError,
    limits: Limits,
    options: ResultOptions,
  ): Judged {
    const evidence = found instanceof ParanoiaError ? undefined : found;
    const result = resultOf(value, kernel, found, limits, options);
    return { case: value, result, evidence, lost: isLost(found) };
  }
}

const keyOf = ({ kernel, precision = 'f32', fault }: KernelChoice) => [kernel, precision, fault].join();

const isLost = (found: Evidence | ParanoiaError): boolean =>
  found instanceof ParanoiaError && found.code === 'device-lost';

function batchesOf(cases: readonly Case[]): Case[][] {
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

/** The check that failed a case, if one did. */
export function failedCheck({ result }: Pick<Judged, 'result'>): string | undefined {
  if (result.verdict !== 'fail') return undefined;
  return result.checks.find(({ status }) => status === 'fail')?.name;
}
