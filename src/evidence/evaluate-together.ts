import { catchParanoiaError, ParanoiaError } from '../base/errors.ts';
import { loadPart } from '../base/part.ts';
import { NO_EPILOGUE } from '../epilogue/chain-text.ts';
import type { Machine } from '../gpu/device.ts';
import type { Product, ProductOutcome } from '../gpu/runner/product.ts';
import type { Kernel } from '../kernels/kernel.ts';
import type { Case } from '../problem/case.ts';
import type { Evidence, ProductJob } from './evidence.ts';
import { isLarge, isWholeWorth } from './is-large.ts';
import type { JudgingItems } from './items.ts';
import { prepareJob } from './prepare.ts';
import type { ProductCalls } from './product-calls.ts';
import type { ComparisonEffort } from './reference.ts';
import type { Timing } from './timing.ts';
import { analysisOf, weigh } from './weigh.ts';
import { wholeReference } from './whole-reference.ts';

/** A case, and the kernel that it tests. */
export interface EvaluationRequest {
  readonly case: Case;
  readonly kernel: Kernel;
}

/** The parts of an evaluator that products computed together need. */
export interface TogetherEvaluator {
  readonly calls: ProductCalls;
  readonly effort: ComparisonEffort;
  readonly items: JudgingItems;
  readonly timing: Timing;
  attempt(request: EvaluationRequest, machine: Machine): Promise<Evidence | ParanoiaError>;
  afterLast(job: ProductJob, evidence: Evidence): Evidence;
}

/**
 * Evaluates many small products, computed together, while this thread computes their references. Nothing is kept of them. A second call
 * prepares its products while the first waits for the device.
 * @returns for each its evidence, or the error that prevented it
 */
export async function evaluateTogether(
  requests: readonly EvaluationRequest[],
  machine: Machine,
  evaluator: TogetherEvaluator,
): Promise<(Evidence | ParanoiaError)[]> {
  if (requests.some(isAskedAlone)) return evaluateApart(requests, machine, evaluator);
  const { calls, effort, items, timing } = evaluator;
  const prepared = timing.compute('operands', () =>
    requests.map(({ case: value, kernel }) => catchParanoiaError(() => prepareJob(value, kernel, items))),
  );
  const jobs = prepared.filter((one): one is ProductJob => !(one instanceof ParanoiaError));
  const { weighLarge } = jobs.some((job) => isLarge(job, effort)) ? await loadLarge() : {};
  const read = await Promise.all(jobs.map(quantized));
  const whole = (job: ProductJob) => ({
    reference: timing.compute('exact', () => wholeReference(job.operands, job.gemm)),
    analysis: timing.compute('analysis', () => analysisOf(job)),
  });
  let known: (ReturnType<typeof whole> | undefined)[] | undefined;
  const compare = () => {
    known ??= read.map((job) => (weighLarge && isLarge(job, effort) ? undefined : whole(job)));
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
    if (!isWholeWorth(large, items.checks)) return large;
    return { ...weigh(job, products, { ...whole(job), fingerprint }), projection: large.projection };
  };
  const first = await calls.run(jobs, compare);
  // A second run of a kernel of ours costs as much as another case; the gate tests whether such kernels repeat themselves.
  const again = jobs.map((job) => job.kernel.executable === undefined && calls.repeats(job));
  const second = (await calls.run(jobs.filter((_, at) => again[at]))).values();
  const weighed = timing
    .compute('measures', () =>
      read.map((job, at) => {
        const products = [first[at], ...(again[at] ? [second.next().value as ProductOutcome] : [])];
        const failed = products.find((outcome) => outcome instanceof ParanoiaError);
        return (
          failed ??
          catchParanoiaError(() =>
            evaluator.afterLast(job, judge(job, products as [Product, Product?], compare()[at])),
          )
        );
      }),
    )
    .values();
  return prepared.map((one) =>
    one instanceof ParanoiaError ? one : (weighed.next().value as Evidence | ParanoiaError),
  );
}

/** Evaluates requests with repetitions, programs or epilogues one by one, and the others together with {@link evaluateTogether}. */
async function evaluateApart(
  requests: readonly EvaluationRequest[],
  machine: Machine,
  evaluator: TogetherEvaluator,
) {
  const together = requests.filter((one) => !isAskedAlone(one));
  const found = (await evaluateTogether(together, machine, evaluator)).values();
  const all: (Evidence | ParanoiaError)[] = [];
  for (const one of requests) {
    const own = isAskedAlone(one) ? await evaluator.attempt(one, machine) : found.next().value;
    all.push(own as Evidence | ParanoiaError);
  }
  return all;
}

const isAskedAlone = ({ case: { problem } }: EvaluationRequest): boolean =>
  problem.repeats > 1 || problem.program > 0 || problem.sweep > 0 || problem.epilogue !== NO_EPILOGUE;

/** Returns a job with its operands as the kernel multiplies them. */
export const quantized = async (job: ProductJob): Promise<ProductJob> =>
  job.kernel.activations === undefined
    ? job
    : (await loadPart('quantizes operands', () => import('./quantized-operands.ts'))).quantizedJob(job);

export const loadLarge = () => loadPart('judges large products', () => import('./large.ts'));
