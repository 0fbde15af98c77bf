import { ParanoiaError, settled, settling } from '../base/errors.ts';
import { Memo } from '../base/memo.ts';
import type { Machine } from '../gpu/device.ts';
import { type Outcome, type Product, productOf } from '../gpu/runner/product.ts';
import { type Kernel, run } from '../kernels/kernel.ts';
import type { Case } from '../problem/case.ts';
import type { Analysis } from '../readers/analysis.ts';
import type { Reference } from './compared.ts';
import type { Evidence, Job, Operands } from './evidence.ts';
import { isLarge, weighLarge } from './large.ts';
import { isRepeated, numberOf, operandsKey, prepare } from './prepare.ts';
import { type Effort, type ExactMultiply, referenceOf, thorough } from './reference.ts';
import { isWholeWorth } from './suspicion.ts';
import { Timing } from './timing.ts';
import { analysisOf, weigh } from './weigh.ts';
import { wholeReference } from './whole-reference.ts';

/** How an evaluator works. */
export interface EvaluatorOptions {
  /** @defaultValue {@link thorough} */
  readonly effort?: Effort;
  /** Pairs of operands, with their exact products, that are kept for the next case of the same. @defaultValue 8 */
  readonly kept?: number;
  /** Told where the time goes. */
  readonly timing?: Timing | undefined;
}

/** A case, and the kernel it is about. */
export interface Request {
  readonly case: Case;
  readonly kernel: Kernel;
}

/**
 * Prepares, runs and weighs: the only place where a product meets its exact product. What cases share is computed once.
 */
export class Evaluator {
  private readonly exact: ExactMultiply;
  private readonly effort: Effort;
  private readonly timing: Timing;
  private readonly operands: Memo<Operands>;
  private readonly references = new WeakMap<Operands, Promise<Reference>>();
  private readonly analyses = new Memo<Analysis>(32);
  private last: Promise<unknown> = Promise.resolve();

  constructor(exact: ExactMultiply, options: EvaluatorOptions = {}) {
    const { effort = thorough, kept = 8, timing = new Timing() } = options;
    this.exact = exact;
    this.effort = effort;
    this.timing = timing;
    this.operands = new Memo(kept);
  }

  /**
   * The job of a case, on operands that it shares with others.
   * @throws ParanoiaError as {@link prepare} does
   */
  prepare(value: Case, kernel: Kernel): Job {
    return prepare(value, kernel, (make) =>
      this.operands.get(operandsKey(value, kernel), () => this.timing.compute('operands', make)),
    );
  }

  /** What a product is compared with. @throws ParanoiaError of the exact product */
  reference({ operands, gemm }: Pick<Job, 'operands' | 'gemm'>): Promise<Reference> {
    const known = this.references.get(operands);
    if (known !== undefined) return known;
    const made = this.timing.wait('exact', () => referenceOf(operands, this.exact, this.effort, gemm));
    this.references.set(operands, made);
    made.catch(() => this.references.delete(operands));
    return made;
  }

  /** @throws ParanoiaError of the kernel, the device or the exact product; `shapes-differ` for a product of another shape. */
  async evaluate(job: Job, machine?: Pick<Machine, 'fingerprint'>): Promise<Evidence> {
    const fingerprint = machine?.fingerprint;
    const { timed } = this.effort;
    const multiply = async (meanwhile?: () => void) => productOf((await this.run([job], meanwhile))[0]);
    const both = async (meanwhile?: () => void): Promise<readonly [Product, Product?]> => {
      const product = await multiply(meanwhile);
      return this.repeats(job) ? [product, await multiply()] : [product];
    };
    const large = isLarge(job, this.effort) ? await both() : undefined;
    const judged = large && this.timing.compute('measures', () => weighLarge(job, large, fingerprint));
    if (judged !== undefined && !isWholeWorth(judged)) return judged;
    const reference = await this.reference(job);
    let analysis: Analysis | undefined;
    const analyse = () => {
      analysis ??= this.analysis(job, fingerprint?.id);
    };
    const products = large ?? (await both(timed ? undefined : analyse));
    analyse();
    const evidence = this.timing.compute('measures', () =>
      weigh(job, products, { reference, analysis, fingerprint }),
    );
    return judged === undefined ? evidence : { ...evidence, projection: judged.projection };
  }

  /** What {@link prepare} and {@link evaluate} make of a case, or why they do not. */
  attempt({ case: value, kernel }: Request, machine: Machine): Promise<Evidence | ParanoiaError> {
    return settling((async () => this.evaluate(this.prepare(value, kernel), machine))());
  }

  /**
   * Evaluates many small products, computed together, while this thread computes what they are compared with. Nothing is
   * remembered of them. A second call while the first waits for the device prepares its products in that time.
   * @returns for each its evidence, or why there is none.
   */
  async evaluateMany(requests: readonly Request[], machine: Machine): Promise<(Evidence | ParanoiaError)[]> {
    const prepared = this.timing.compute('operands', () =>
      requests.map(({ case: value, kernel }) => settled(() => prepare(value, kernel))),
    );
    const jobs = prepared.filter((one): one is Job => !(one instanceof ParanoiaError));
    const whole = (job: Job) => ({
      reference: this.timing.compute('exact', () => wholeReference(job.operands, job.gemm)),
      analysis: this.timing.compute('analysis', () => analysisOf(job)),
    });
    let known: (ReturnType<typeof whole> | undefined)[] | undefined;
    const compare = () => {
      known ??= jobs.map((job) => (isLarge(job, this.effort) ? undefined : whole(job)));
      return known;
    };
    const judge = (
      job: Job,
      products: readonly [Product, Product?],
      of: ReturnType<typeof whole> | undefined,
    ) => {
      const { fingerprint } = machine;
      if (of !== undefined) return weigh(job, products, { ...of, fingerprint });
      const large = weighLarge(job, products, fingerprint);
      if (!isWholeWorth(large)) return large;
      return { ...weigh(job, products, { ...whole(job), fingerprint }), projection: large.projection };
    };
    const first = await this.run(jobs, compare);
    // One more product of ours costs as much as another case; whether they repeat themselves, the gate asks.
    const again = jobs.map((job) => job.kernel.executable === undefined && this.repeats(job));
    const second = (await this.run(jobs.filter((_, at) => again[at]))).values();
    const weighed = this.timing
      .compute('measures', () =>
        jobs.map((job, at) => {
          const products = [first[at], ...(again[at] ? [second.next().value as Outcome] : [])];
          const failed = products.find((outcome) => outcome instanceof ParanoiaError);
          return failed ?? settled(() => judge(job, products as [Product, Product?], compare()[at]));
        }),
      )
      .values();
    return prepared.map((one) =>
      one instanceof ParanoiaError ? one : (weighed.next().value as Evidence | ParanoiaError),
    );
  }

  private repeats({ case: value, kernel }: Job): boolean {
    return !this.effort.timed && value !== undefined && isRepeated(value, kernel);
  }

  private analysis(job: Job, machine = ''): Analysis | undefined {
    const { m, k, n } = job.plan.shape;
    if (m * k * n * (job.gemm?.batch ?? 1) > this.effort.analysis) return undefined;
    const make = () => this.timing.compute('analysis', () => analysisOf(job));
    return job.case === undefined ? make() : this.analyses.get(analysisKey(job, job.case, machine), make);
  }

  /** Error scopes are a stack of the device: products take turns. */
  private run(jobs: readonly Job[], meanwhile?: () => void): Promise<Outcome[]> {
    const result = this.last.then(() => this.timing.wait('device', () => run(jobs, meanwhile)));
    this.last = result.catch(() => {});
    return result;
  }
}

/** What decides the analysis of a product. */
function analysisKey({ kernel, plan }: Job, value: Case, machine: string): string {
  // A leaf kernel's tile is part of the plan only where blocks are padded to it.
  const { fringe, tail, levels } = value.method;
  const padded = tail === 'pad' ? kernel.leaf : '';
  const own = kernel.leaf === '' ? numberOf(kernel) : '';
  const how = [kernel.algorithm, levels, plan.style, own, fringe, padded, machine];
  return [operandsKey(value, kernel), ...how].join();
}
