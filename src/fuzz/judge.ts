import { type Case, formatCase } from '../gate/case.ts';
import { defaultThresholds, type Thresholds } from '../gate/checks/check.ts';
import type { Evidence, Gathered, Laboratory } from '../gate/evidence.ts';
import type { CaseResult } from '../gate/results.ts';
import { runCase } from '../gate/run-case.ts';
import { type KernelOf, kernelOf } from '../gate/run-gate.ts';
import type { Machine } from '../gpu/device.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { Problem } from '../problems.ts';
import { type Exponents, exponentsOf } from './exponents.ts';

/** A case that has been judged. */
export interface Judged {
  readonly case: Case;
  readonly result: CaseResult;
  /** Exponents seen in A, B and C; undefined where there was no product. */
  readonly exponents: { readonly a: Exponents; readonly b: Exponents; readonly c: Exponents } | undefined;
}

/** What cases are judged with. */
export interface Bench {
  readonly machine: Machine;
  /** Another machine after a device is lost. */
  readonly reopen: () => Promise<Machine>;
  readonly laboratory: Laboratory;
  /** Where kernels come from. Default: the built-in ones. */
  readonly kernelOf?: KernelOf | undefined;
  readonly thresholds?: Thresholds | undefined;
  /** The command that runs a case alone. */
  readonly replay?: ((text: string) => string) | undefined;
}

/** Cases, and products of two entries, that are executed together at most. */
const TOGETHER = { cases: 48, products: 2 ** 23 };

/** Judges cases by the checks of the gate, as many together as pays; a lost device costs the case it was lost in. */
export class Judge {
  private readonly bench: Bench;
  private open: Machine;
  private kernels = new Map<string, Kernel>();
  private lost: Machine | undefined;
  private replaced: Promise<void> = Promise.resolve();

  constructor(bench: Bench) {
    this.bench = bench;
    this.open = bench.machine;
  }

  /** The machine in use: another one than at the start where a device was lost. */
  get machine(): Machine {
    return this.open;
  }

  /**
   * The kernel of a case.
   * @throws Problem `unknown-name`, `precision-unserved`, `no-adapter`
   */
  async kernel(value: Pick<Case, 'kernel' | 'precision' | 'fault'>): Promise<Kernel> {
    const { kernelOf: make = kernelOf } = this.bench;
    const key = [value.kernel, value.precision, value.fault].join();
    const known = this.kernels.get(key) ?? (await make(value as Case, this.open));
    this.kernels.set(key, known);
    return known;
  }

  /** @throws Problem from a case that cannot be: a wrong name, a refused input. */
  async judge(cases: readonly Case[]): Promise<Judged[]> {
    const judged: Judged[] = [];
    for (const batch of batchesOf(cases)) {
      judged.push(...(await this.together(batch)));
      // Lets signals and timers in.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return judged;
  }

  async one(value: Case): Promise<Judged> {
    const [judged] = await this.together([value]);
    return judged;
  }

  private async together(cases: readonly Case[]): Promise<Judged[]> {
    const requests: { case: Case; kernel: Kernel }[] = [];
    for (const value of cases) requests.push({ case: value, kernel: await this.kernel(value) });
    const used = this.open;
    let gathered: Gathered[];
    try {
      gathered = await this.bench.laboratory.gatherMany(requests, used);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'device-lost') throw error;
      await this.replace(used);
      if (cases.length === 1) gathered = [{ error }];
      else {
        const alone: Judged[] = [];
        for (const value of cases) alone.push(await this.one(value));
        return alone;
      }
    }
    const judged: Judged[] = [];
    for (const [at, { case: value, kernel }] of requests.entries()) {
      judged.push(await this.verdict(value, kernel, gathered[at]));
    }
    return judged;
  }

  /** Opens another machine in place of a lost one, once for all batches that lost it. */
  private replace(lost: Machine): Promise<void> {
    if (this.lost !== lost) {
      this.lost = lost;
      this.replaced = this.bench.reopen().then((machine) => {
        this.open = machine;
        this.kernels = new Map();
      });
    }
    return this.replaced;
  }

  private async verdict(value: Case, kernel: Kernel, gathered: Gathered): Promise<Judged> {
    const { thresholds = defaultThresholds, replay } = this.bench;
    const evidence = 'evidence' in gathered ? gathered.evidence : undefined;
    const found = {
      gather: async (): Promise<Evidence> => {
        if ('error' in gathered) throw gathered.error;
        return gathered.evidence;
      },
    };
    // A loss has been dealt with; here it says that nothing is known of this case.
    const lost = 'error' in gathered && gathered.error.code === 'device-lost' ? gathered.error : undefined;
    const result = lost
      ? lostResult(value, kernel, lost.message)
      : await runCase(value, kernel, this.open, found, { thresholds, baseline: undefined }, { replay });
    if (evidence === undefined) return { case: value, result, exponents: undefined };
    const { pair, execution } = evidence;
    const exponents = { a: exponentsOf(pair.a), b: exponentsOf(pair.b), c: exponentsOf(execution.c) };
    return { case: value, result, exponents };
  }
}

function batchesOf(cases: readonly Case[]): Case[][] {
  const batches: Case[][] = [];
  let [batch, products]: [Case[], number] = [[], 0];
  for (const value of cases) {
    const own = value.m * value.k * value.n;
    if (batch.length === TOGETHER.cases || (batch.length > 0 && products + own > TOGETHER.products)) {
      batches.push(batch);
      [batch, products] = [[], 0];
    }
    batch.push(value);
    products += own;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

function lostResult(value: Case, { algorithm, leaf }: Kernel, message: string): CaseResult {
  const text = formatCase(value);
  const { fault: _fault, init: _init, edit: _edit, layout: _layout, ...about } = value;
  return {
    ...about,
    case: text,
    algorithm,
    leaf,
    levelsUsed: value.levels,
    precision: value.precision ?? 'f32',
    series: false,
    verdict: 'inconclusive',
    reason: message,
    replay: text,
    checks: [{ name: 'runs', status: 'inconclusive', message }],
  };
}

/** The check that failed a case, if one did. */
export function failedCheck({ result }: Pick<Judged, 'result'>): string | undefined {
  if (result.verdict !== 'fail') return undefined;
  return result.checks.find(({ status }) => status === 'fail')?.name;
}
