import { catchParanoiaErrorAsync, ParanoiaError } from '../base/errors.ts';
import { Memo } from '../base/memo.ts';
import { loadPart } from '../base/part.ts';
import type { Machine } from '../gpu/device.ts';
import type { Product } from '../gpu/runner/product.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { type Gemm, requestedGemm } from '../matrix/gemm.ts';
import type { Case } from '../problem/case.ts';
import type { Analysis } from '../readers/analysis.ts';
import type { Reference } from './compared.ts';
import { loadEpilogueDrawing } from './epilogue/numbers.ts';
import { type EvaluationRequest, evaluateTogether, loadLarge, quantized } from './evaluate-together.ts';
import type { Evidence, KnownOperands, ProductJob, ReferencedProduct, RepeatedProduct } from './evidence.ts';
import { isLarge, isWholeWorth } from './is-large.ts';
import { builtinItems, type JudgingItems } from './items.ts';
import type { LifeSpan } from './long-life.ts';
import { kernelNumberOf, operandsKey, prepareJob } from './prepare.ts';
import { findDifferingAnswers, isWorse, ProductCalls } from './product-calls.ts';

import { type ComparisonEffort, type ExactMultiply, referenceOf, thorough } from './reference.ts';
import { Timing } from './timing.ts';
import { analysisOf, weigh } from './weigh.ts';

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

/**
 * Evaluates cases: prepares, runs and weighs them, alone or together. Only here does a product meet its exact product. Parts that cases
 * share are computed once.
 */
export class Evaluator {
  readonly items: JudgingItems;
  readonly effort: ComparisonEffort;
  readonly timing: Timing;
  readonly calls: ProductCalls;
  private readonly exact: ExactMultiply;
  private readonly operands: Memo<KnownOperands>;
  private readonly references = new WeakMap<KnownOperands, Promise<Reference>>();
  private readonly analyses = new Memo<Analysis>(32);
  private readonly answers = new WeakMap<Kernel, ReferencedProduct>();

  constructor(exact: ExactMultiply, options: EvaluatorOptions = {}) {
    const { effort = thorough, kept = 8, timing = new Timing(), wary = false, life = LIFE } = options;
    const { ends = () => false, items = builtinItems } = options;
    this.exact = exact;
    this.items = items;
    this.effort = effort;
    this.timing = timing;
    this.calls = new ProductCalls({ items, timing, wary, life, ends, timed: effort.timed });
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
    const multiply = this.calls.multiplier(asked);
    const large = isLarge(job, this.effort) ? await this.calls.asked(asked, multiply()) : undefined;
    const { weighLarge } = large ? await loadLarge() : {};
    const judged =
      weighLarge && large && this.weighed(job, large, (outcomes) => weighLarge(job, outcomes, fingerprint));
    if (judged !== undefined && !isWholeWorth(judged, this.items.checks)) return this.afterLast(job, judged);
    const reference = await this.reference(job);
    let analysis: Analysis | undefined;
    const analyze = () => {
      analysis ??= this.analysis(job, fingerprint?.id);
    };
    const products = large ?? (await this.calls.asked(asked, multiply(timed ? undefined : analyze)));
    analyze();
    const known = { reference, analysis, fingerprint };
    const evidence = this.weighed(job, products, (outcomes) => weigh(job, outcomes, known));
    return this.afterLast(
      job,
      judged === undefined ? evidence : { ...evidence, projection: judged.projection },
    );
  }

  /** Runs a job with an epilogue, and judges D through its steps. */
  private async behindEpilogue(job: ProductJob & { readonly gemm: Gemm }): Promise<Evidence> {
    const { epilogueWeigher } = await loadPart('judges epilogues', () => import('./epilogue/weigh-job.ts'));
    const products = await this.calls.asked(job, this.calls.multiplier(job)());
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
      const [first, ...others] = products.map((product, at) => {
        const other = products[at === 0 ? 1 : 0];
        return weighOne(other === undefined ? [product] : [product, other]);
      });
      return others.reduce((worst, one) => (isWorse(one, worst) ? one : worst), first);
    });
  }

  /** Computes the product of a case as often as {@link evaluate} does, without comparing it. */
  async ask({ case: value, kernel }: EvaluationRequest): Promise<ParanoiaError | undefined> {
    const asked = async () => {
      const job = await this.prepare(value, kernel);
      return this.calls.asked(job, this.calls.multiplier(job)());
    };
    const found = await catchParanoiaErrorAsync(asked());
    return found instanceof ParanoiaError ? found : undefined;
  }

  /** Evaluates requests as {@link evaluateTogether} does. */
  evaluateMany(
    requests: readonly EvaluationRequest[],
    machine: Machine,
  ): Promise<(Evidence | ParanoiaError)[]> {
    return evaluateTogether(requests, machine, this);
  }

  /** Prepares and evaluates a case; returns the error where that fails. */
  attempt({ case: value, kernel }: EvaluationRequest, machine: Machine): Promise<Evidence | ParanoiaError> {
    return catchParanoiaErrorAsync((async () => this.evaluate(await this.prepare(value, kernel), machine))());
  }

  /** Adds the previous answer of the kernel. */
  afterLast({ kernel }: ProductJob, evidence: Evidence): Evidence {
    const previous = this.answers.get(kernel);
    const { gemm, outcomes, reference } = evidence;
    const { m, k, n } = requestedGemm(gemm);
    this.answers.set(kernel, { c: outcomes[0].c, reference, shape: `${m}×${k}×${n}` });
    return previous === undefined ? evidence : { ...evidence, previous };
  }

  private analysis(job: ProductJob, machine = ''): Analysis | undefined {
    const { m, k, n } = job.plan.shape;
    if (m * k * n * (job.gemm?.batch ?? 1) > this.effort.analysis) return undefined;
    const make = () => this.timing.compute('analysis', () => analysisOf(job));
    return job.case === undefined
      ? make()
      : this.analyses.get(analysisKey(job, job.case, this.items, machine), make);
  }
}

/** The cost, in multiplications, up to which every entry behind an epilogue is compared: each is enclosed step by step. */
const WHOLE_BEHIND_EPILOGUE = 2 ** 20;

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
