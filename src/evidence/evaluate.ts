import { catchParanoiaError, catchParanoiaErrorAsync, ParanoiaError } from '../base/errors.ts';
import { Memo } from '../base/memo.ts';
import { loadPart } from '../base/part.ts';
import { NO_EPILOGUE } from '../epilogue/chain-text.ts';
import type { Machine } from '../gpu/device.ts';
import { type Product, type ProductOutcome, requireProduct } from '../gpu/runner/product.ts';
import { type Kernel, type KernelJob, runJobs } from '../kernels/kernel.ts';
import { clockAndPidOf } from '../kernels/simulated-clock-and-pid.ts';
import { type Gemm, requestedGemm } from '../matrix/gemm.ts';
import { type Case, changeCase, formatCase } from '../problem/case.ts';
import type { Analysis } from '../readers/analysis.ts';
import { findDifferingAnswers, harmOf, isSame, isWorse } from './answers.ts';
import type { Reference } from './compared.ts';
import { loadEpilogueDrawing } from './epilogue/numbers.ts';
import type { Evidence, KnownOperands, ProductJob, ReferencedProduct, RepeatedProduct } from './evidence.ts';
import { isLarge, isWholeWorth } from './is-large.ts';
import { builtinItems, type JudgingItems } from './items.ts';
import { canLiveLong, isLongLife, type LifeSpan } from './long-life.ts';
import { timeIsOver } from './messages.ts';
import { isRepeated, kernelNumberOf, operandsKey, prepareJob } from './prepare.ts';
import { type ComparisonEffort, type ExactMultiply, referenceOf, thorough } from './reference.ts';

import { Timing } from './timing.ts';
import { analysisOf, weigh } from './weigh.ts';
import { wholeReference } from './whole-reference.ts';

/** Options of an evaluator. */
export interface EvaluatorOptions {
  /** @defaultValue the built-in ones */
  readonly items?: JudgingItems | undefined;
  /** @defaultValue {@link thorough} */
  readonly effort?: ComparisonEffort;
  /** The number of operand pairs, with their exact products, kept for later cases. @defaultValue 8 */
  readonly kept?: number;
  /** Receives the time of each part of the work. */
  readonly timing?: Timing | undefined;
  /** True if kernels are untrusted: the calls around a product are then drawn at random. @defaultValue false */
  readonly wary?: boolean | undefined;
  /** Called before every product; true ends the run. @defaultValue never */
  readonly ends?: (() => boolean) | undefined;
  /** Time, or number, of the small products of a long life, for an untrusted kernel. @defaultValue 60 seconds */
  readonly life?: LifeSpan | undefined;
}

/** The default span of a long life. */
const LIFE: LifeSpan = { seconds: 60 };

/** The number of repetitions of a case that cannot be a long life. */
const INSTEAD = 3;

/** A case, and the kernel that it tests. */
export interface EvaluationRequest {
  readonly case: Case;
  readonly kernel: Kernel;
}

/**
 * Evaluates cases: prepares, runs and weighs them. Only here does a product meet its exact product. Parts that cases share are computed
 * once.
 */
export class Evaluator {
  readonly items: JudgingItems;
  private readonly exact: ExactMultiply;
  private readonly effort: ComparisonEffort;
  private readonly timing: Timing;
  private readonly wary: boolean;
  private readonly life: LifeSpan;
  private readonly ends: () => boolean;
  /** The number of products of each long life, by the text of its case. */
  private readonly lives = new Map<string, number>();
  private readonly operands: Memo<KnownOperands>;
  private readonly references = new WeakMap<KnownOperands, Promise<Reference>>();
  private readonly analyses = new Memo<Analysis>(32);
  private last: Promise<unknown> = Promise.resolve();
  /** The last answer of each kernel. */
  private readonly answers = new WeakMap<Kernel, ReferencedProduct>();

  constructor(exact: ExactMultiply, options: EvaluatorOptions = {}) {
    const { effort = thorough, kept = 8, timing = new Timing(), wary = false, life = LIFE } = options;
    const { ends = () => false, items = builtinItems } = options;
    this.exact = exact;
    this.items = items;
    this.effort = effort;
    this.timing = timing;
    this.wary = wary;
    this.life = life;
    this.ends = ends;
    this.operands = new Memo(kept);
  }

  /**
   * Prepares the job of a case, on operands that it shares with others.
   * @throws ParanoiaError as {@link prepareJob} does
   */
  async prepare(value: Case, kernel: Kernel): Promise<ProductJob> {
    await loadEpilogueDrawing(value);
    return prepareJob(value, kernel, this.items, (make) =>
      this.operands.get(operandsKey(value, kernel, this.items), () => this.timing.compute('operands', make)),
    );
  }

  /** Computes the reference of a product. @throws ParanoiaError of the exact product */
  reference({ operands, gemm }: Pick<ProductJob, 'operands' | 'gemm'>): Promise<Reference> {
    const known = this.references.get(operands);
    if (known !== undefined) return known;
    const made = this.timing.wait('exact', () => referenceOf(operands, this.exact, this.effort, gemm));
    this.references.set(operands, made);
    made.catch(() => this.references.delete(operands));
    return made;
  }

  /**
   * Runs a job and weighs its product.
   * @throws ParanoiaError of the kernel, the device or the exact product; `shapes-differ` for a product of another shape.
   */
  async evaluate(asked: ProductJob, machine?: Pick<Machine, 'fingerprint'>): Promise<Evidence> {
    const fingerprint = machine?.fingerprint;
    if (asked.gemm?.chain !== undefined) return this.behindEpilogue({ ...asked, gemm: asked.gemm });
    const { timed } = this.effort;
    const job = await quantized(asked);
    const multiply = this.multiplier(asked);
    const large = isLarge(job, this.effort) ? await this.asked(asked, multiply()) : undefined;
    const { weighLarge } = large ? await judgingLarge() : {};
    const judged =
      weighLarge && large && this.weighed(job, large, (outcomes) => weighLarge(job, outcomes, fingerprint));
    if (judged !== undefined && !isWholeWorth(judged, this.items.checks)) return this.afterLast(job, judged);
    const reference = await this.reference(job);
    let analysis: Analysis | undefined;
    const analyze = () => {
      analysis ??= this.analysis(job, fingerprint?.id);
    };
    const products = large ?? (await this.asked(asked, multiply(timed ? undefined : analyze)));
    analyze();
    const known = { reference, analysis, fingerprint };
    const evidence = this.weighed(job, products, (outcomes) => weigh(job, outcomes, known));
    return this.afterLast(
      job,
      judged === undefined ? evidence : { ...evidence, projection: judged.projection },
    );
  }

  /** Returns the function that computes products in the surroundings of a job. */
  private multiplier(job: ProductJob) {
    const around = this.surroundings(job);
    return (meanwhile?: () => void) => async (asked: KernelJob) =>
      requireProduct((await this.run([{ ...asked, ...around }], meanwhile))[0]);
  }

  /** Runs a job with an epilogue, and judges D through its steps. */
  private async behindEpilogue(job: ProductJob & { readonly gemm: Gemm }): Promise<Evidence> {
    const { epilogueWeigher } = await loadPart('judges epilogues', () => import('./epilogue/weigh-job.ts'));
    const products = await this.asked(job, this.multiplier(job)());
    const effort = { ...this.effort, projected: Math.min(WHOLE_BEHIND_EPILOGUE, this.effort.projected) };
    const weighOne = await this.timing.wait('exact', () => epilogueWeigher(job, this.exact, effort));
    return this.weighed(job, products, weighOne);
  }

  /** Weighs the worst answer of a kernel that may answer differently, else the first answer and another. */
  private weighed(
    { kernel }: ProductJob,
    products: readonly [Product, ...RepeatedProduct[]],
    weighOne: (outcomes: Evidence['outcomes']) => Evidence,
  ): Evidence {
    return this.timing.compute('measures', () => {
      if (kernel.claims?.deterministic !== false) return weighOne(findDifferingAnswers(products));
      const [first, ...others] = products.map((product) => weighOne([product, products[1]]));
      return others.reduce((worst, one) => (isWorse(one, worst) ? one : worst), first);
    });
  }

  /** Computes the product of a case as often as {@link evaluate} does, without comparing it. */
  async ask({ case: value, kernel }: EvaluationRequest): Promise<ParanoiaError | undefined> {
    const asked = async () => {
      const job = await this.prepare(value, kernel);
      return this.asked(job, this.multiplier(job)());
    };
    const found = await catchParanoiaErrorAsync(asked());
    return found instanceof ParanoiaError ? found : undefined;
  }

  /** Computes the product as often as its case requires. */
  private async asked(
    job: ProductJob,
    multiply: (asked: KernelJob) => Promise<Product>,
  ): Promise<[Product, ...RepeatedProduct[]]> {
    const { case: value } = job;
    if (value !== undefined && value.problem.program > 0) await this.walked(job, value, multiply);
    if (value === undefined || this.effort.timed || value.problem.repeats === 1) {
      const product = await multiply(job);
      return this.repeats(job) ? [product, await multiply(job)] : [product];
    }
    if (this.wary && canLiveLong(job)) return this.lived(job, value, multiply);
    const asOften = this.wary && isLongLife(value) ? changeCase(value, { repeats: INSTEAD }) : value;
    const { listRepetitions } = await loadPart('asks for products again', () => import('./repetitions.ts'));
    const products: RepeatedProduct[] = [];
    const mayDiffer = job.kernel.claims?.deterministic === false;
    for (const { job: own, before, when } of listRepetitions(job, asOften, this.items, this.wary)) {
      for (const other of before) await multiply(other);
      const product = { ...(await multiply(own)), when };
      // Where all answers must be the same, the first and one that differs are enough. Elsewhere only equal ones are dropped.
      if (mayDiffer && products.length > 1 && harmOf(product) === 0 && isSame(products[0], product)) continue;
      if (!mayDiffer) products.splice(1);
      products.push(product);
      if (!mayDiffer && products.length > 1 && !isSame(products[0], products[1])) break;
    }
    return products as [Product, ...RepeatedProduct[]];
  }

  /** Runs a program before the product; a failure ends the kernel's process, and all state with it. */
  private async walked(
    job: ProductJob,
    value: Case,
    multiply: (asked: KernelJob) => Promise<Product>,
  ): Promise<void> {
    const { runProgram } = await loadPart(
      'asks for whole programs',
      () => import('./whole-programs/walk.ts'),
    );
    const { session } = job.kernel;
    const renew = async () => session.renew?.();
    await runProgram(job, value, { ask: multiply, renew });
  }

  /** Computes the product before and after very many small ones. A repetition takes as many as the first run did. */
  private async lived(
    job: ProductJob,
    value: Case,
    multiply: (asked: KernelJob) => Promise<Product>,
  ): Promise<[Product, RepeatedProduct]> {
    const { liveLong } = await loadPart('asks for very many products', () => import('./live-long.ts'));
    const text = formatCase(value);
    const first = await multiply(job);
    const told = (made: number) => this.lives.set(text, made);
    try {
      const known = this.lives.get(text);
      const span = known === undefined ? this.life : { count: known };
      const count = await liveLong(job, value, span, { ask: multiply, told });
      return [first, { ...(await multiply(job)), when: `after ${count} small products` }];
    } catch (error) {
      // The kernel's own count ends with its process, and so does the recorded one.
      await job.kernel.session.renew?.();
      throw error;
    }
  }

  /** Prepares and evaluates a case; returns the error where that fails. */
  attempt({ case: value, kernel }: EvaluationRequest, machine: Machine): Promise<Evidence | ParanoiaError> {
    return catchParanoiaErrorAsync((async () => this.evaluate(await this.prepare(value, kernel), machine))());
  }

  /**
   * Evaluates many small products, computed together, while this thread computes their references. Nothing is kept of them. A second call
   * prepares its products while the first waits for the device.
   * @returns for each its evidence, or the error that prevented it
   */
  async evaluateMany(
    requests: readonly EvaluationRequest[],
    machine: Machine,
  ): Promise<(Evidence | ParanoiaError)[]> {
    if (requests.some(isAskedAlone)) return this.evaluateApart(requests, machine);
    const prepared = this.timing.compute('operands', () =>
      requests.map(({ case: value, kernel }) =>
        catchParanoiaError(() => prepareJob(value, kernel, this.items)),
      ),
    );
    const jobs = prepared.filter((one): one is ProductJob => !(one instanceof ParanoiaError));
    const { weighLarge } = jobs.some((job) => isLarge(job, this.effort)) ? await judgingLarge() : {};
    const read = await Promise.all(jobs.map(quantized));
    const whole = (job: ProductJob) => ({
      reference: this.timing.compute('exact', () => wholeReference(job.operands, job.gemm)),
      analysis: this.timing.compute('analysis', () => analysisOf(job)),
    });
    let known: (ReturnType<typeof whole> | undefined)[] | undefined;
    const compare = () => {
      known ??= read.map((job) => (weighLarge && isLarge(job, this.effort) ? undefined : whole(job)));
      return known;
    };
    const judge = (
      job: ProductJob,
      products: readonly [Product, Product?],
      of: ReturnType<typeof whole> | undefined,
    ) => {
      const { fingerprint } = machine;
      if (of !== undefined || weighLarge === undefined)
        return weigh(job, products, { ...(of ?? whole(job)), fingerprint });
      const large = weighLarge(job, products, fingerprint);
      if (!isWholeWorth(large, this.items.checks)) return large;
      return { ...weigh(job, products, { ...whole(job), fingerprint }), projection: large.projection };
    };
    const first = await this.run(jobs, compare);
    // A second run of a kernel of ours costs as much as another case; the gate tests whether such kernels repeat themselves.
    const again = jobs.map((job) => job.kernel.executable === undefined && this.repeats(job));
    const second = (await this.run(jobs.filter((_, at) => again[at]))).values();
    const weighed = this.timing
      .compute('measures', () =>
        read.map((job, at) => {
          const products = [first[at], ...(again[at] ? [second.next().value as ProductOutcome] : [])];
          const failed = products.find((outcome) => outcome instanceof ParanoiaError);
          return (
            failed ??
            catchParanoiaError(() =>
              this.afterLast(job, judge(job, products as [Product, Product?], compare()[at])),
            )
          );
        }),
      )
      .values();
    return prepared.map((one) =>
      one instanceof ParanoiaError ? one : (weighed.next().value as Evidence | ParanoiaError),
    );
  }

  /** Evaluates requests with repetitions, programs or epilogues one by one, and the others together with {@link evaluateMany}. */
  private async evaluateApart(requests: readonly EvaluationRequest[], machine: Machine) {
    const together = requests.filter((one) => !isAskedAlone(one));
    const found = (await this.evaluateMany(together, machine)).values();
    const all: (Evidence | ParanoiaError)[] = [];
    for (const one of requests) {
      const own = isAskedAlone(one) ? await this.attempt(one, machine) : found.next().value;
      all.push(own as Evidence | ParanoiaError);
    }
    return all;
  }

  /** Adds the previous answer of the kernel. */
  private afterLast({ kernel }: ProductJob, evidence: Evidence): Evidence {
    const previous = this.answers.get(kernel);
    const { gemm, outcomes, reference } = evidence;
    const { m, k, n } = requestedGemm(gemm);
    this.answers.set(kernel, { c: outcomes[0].c, reference, shape: `${m}×${k}×${n}` });
    return previous === undefined ? evidence : { ...evidence, previous };
  }

  /** Returns the simulated surroundings of an untrusted kernel, the same for every call that belongs to a case. */
  private surroundings({ case: value }: ProductJob): Pick<KernelJob, 'surroundings'> {
    return this.wary && value !== undefined ? { surroundings: clockAndPidOf(value.problem.seed) } : {};
  }

  private repeats({ case: value, kernel }: ProductJob): boolean {
    return !this.effort.timed && value !== undefined && isRepeated(value, kernel);
  }

  private analysis(job: ProductJob, machine = ''): Analysis | undefined {
    const { m, k, n } = job.plan.shape;
    if (m * k * n * (job.gemm?.batch ?? 1) > this.effort.analysis) return undefined;
    const make = () => this.timing.compute('analysis', () => analysisOf(job));
    return job.case === undefined
      ? make()
      : this.analyses.get(analysisKey(job, job.case, this.items, machine), make);
  }

  /** Runs products one after the other, since error scopes are a stack of the device. @throws ParanoiaError `time-is-over` */
  private run(jobs: readonly ProductJob[], meanwhile?: () => void): Promise<ProductOutcome[]> {
    const result = this.last.then(() => {
      if (this.ends()) throw timeIsOver();
      return this.timing.wait('device', () => runJobs(jobs, meanwhile));
    });
    this.last = result.catch(() => {});
    return result;
  }
}

/** The cost, in multiplications, up to which every entry behind an epilogue is compared: each is enclosed step by step. */
const WHOLE_BEHIND_EPILOGUE = 2 ** 20;

/** Returns a job with its operands as the kernel multiplies them. */
const quantized = async (job: ProductJob): Promise<ProductJob> =>
  job.kernel.activations === undefined
    ? job
    : (await loadPart('quantizes operands', () => import('./quantized-operands.ts'))).quantizedJob(job);

const judgingLarge = () => loadPart('judges large products', () => import('./large.ts'));

const isAskedAlone = ({ case: { problem } }: EvaluationRequest): boolean =>
  problem.repeats > 1 || problem.program > 0 || problem.epilogue !== NO_EPILOGUE;

/** Returns a key of all that decides the analysis of a product. */
function analysisKey(
  { kernel, plan }: ProductJob,
  value: Case,
  items: JudgingItems,
  machine: string,
): string {
  // A leaf kernel's tile is part of the plan only where blocks are padded to it.
  const { fringe, tail, levels } = value.method;
  const padded = tail === 'pad' ? kernel.leaf : '';
  const own = kernel.leaf === '' ? kernelNumberOf(kernel) : '';
  const how = [kernel.algorithm, kernel.diagonal ?? '', levels, plan.style, own, fringe, padded, machine];
  return [operandsKey(value, kernel, items), ...how].join();
}
