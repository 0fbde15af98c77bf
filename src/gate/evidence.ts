import { absoluteProduct } from '../accuracy/absolute-product.ts';
import { type Measures, measure } from '../accuracy/measures.ts';
import { type OperandSize, operandSize } from '../accuracy/operand-size.ts';
import { precisions } from '../formats/precision.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import { executeMany, type Work } from '../gpu/execute-many.ts';
import type { Execution } from '../gpu/execution.ts';
import { inputOf } from '../inputs/edits/edited-family.ts';
import type { InputFamily, InputPair } from '../inputs/input.ts';
import { allowing } from '../kernel/foreign.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { formatLayout, type OperandLayout, parseLayout, plainLayout } from '../kernel/operand-layout.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Plan } from '../plan/plan.ts';
import { Problem, problem } from '../problems.ts';
import { type Analysis, analyse } from '../readers/analysis.ts';
import { unitRoundoffOf } from '../readers/device-errors.ts';
import { type ExactProduct, exactProduct } from '../reference/exact.ts';
import type { Case } from './case.ts';
import { isRepeated } from './is-repeated.ts';
import { Memo } from './memo.ts';
import { planOf } from './plan-of.ts';
import { Timing } from './timing.ts';

/** Everything that is known about one product when it is judged. */
export interface Evidence {
  readonly case: Case;
  readonly kernel: Kernel;
  readonly plan: Plan;
  readonly family: InputFamily;
  readonly pair: InputPair;
  readonly execution: Execution;
  /** The same product once more, where the case is multiplied twice: see {@link isRepeated}. */
  readonly again?: Execution | undefined;
  readonly exact: ExactProduct;
  readonly analysis: Analysis;
  readonly measures: Measures;
  readonly sizes: { readonly a: OperandSize; readonly b: OperandSize };
  readonly open: Machine;
}

/** How the exact product is computed: in this thread, spread over workers, or on a GPU. */
export interface ExactMultiply {
  (a: Matrix, b: Matrix): ExactProduct | Promise<ExactProduct>;
  /** Whether every entry of this product is computed in little time, however large it is. @defaultValue never */
  reaches?(a: Matrix, b: Matrix): Promise<boolean>;
}

/** A case, and the kernel it is about. */
export interface Request {
  readonly case: Case;
  readonly kernel: Kernel;
}

/** What came of one of several requests. */
export type Gathered = { readonly evidence: Evidence } | { readonly error: Problem };

/** Gathers evidence, computing what cases share only once. */
export class Laboratory {
  private readonly exactMultiply: ExactMultiply;
  private readonly timing: Timing;
  private readonly references = new Memo<Reference>(8);
  private readonly analyses = new Memo<Analysis>(32);
  private last: Promise<unknown> = Promise.resolve();

  /** @param timing told where the time goes. */
  constructor(exactMultiply: ExactMultiply, timing = new Timing()) {
    this.exactMultiply = exactMultiply;
    this.timing = timing;
  }

  /** @throws Problem from making the input, compiling the plan, or running the kernel. */
  async gather(value: Case, kernel: Kernel, open: Machine): Promise<Evidence> {
    const { m, k, n, levels, border, edge, seed } = value;
    const family = inputOf(value);
    const { arithmetic } = kernel;
    const inputKey = [
      value.input,
      m,
      k,
      n,
      levels,
      seed,
      value.init,
      value.edit,
      arithmetic.precision,
    ].join();
    const plan = planOf(value, kernel);
    const layout = layoutFor(value, kernel);
    const reference = await this.references.get(inputKey, async () => {
      const pair = this.timing.compute('operands', () => pairOf(value, family, kernel));
      const exact = await this.timing.wait('exact', () => this.exactMultiply(pair.a, pair.b));
      return this.timing.compute('exact', () => referenceOf(pair, exact));
    });
    const { pair } = reference;
    // A leaf kernel's tile is part of the plan only where blocks are padded to it.
    const padded = edge === 'pad' ? kernel.leaf : '';
    const own = kernel.leaf === '' ? kernel.name : '';
    const analysisKey = [
      inputKey,
      kernel.algorithm,
      plan.style,
      own,
      border,
      padded,
      open.fingerprint.id,
    ].join();
    const analysed = () =>
      this.analyses.keep(
        analysisKey,
        this.analyses.find(analysisKey) ??
          this.timing.compute('analysis', () => analysisOf({ case: value, kernel, plan, pair })),
      );
    const multiply = () =>
      blaming(kernel, () =>
        this.inTurn(() =>
          this.timing.wait('device', () =>
            kernel.multiply(pair.a, pair.b, plan, analysed, ...(layout === undefined ? [] : [layout])),
          ),
        ),
      );
    const execution = await multiply();
    const again = isRepeated(value, kernel) ? await multiply() : undefined;
    const products = { execution, again, analysis: analysed() };
    const about = { case: value, kernel, plan, family, ...reference, ...products, open };
    return this.timing.compute('measures', () => weigh(about));
  }

  /**
   * Gathers evidence on many small products: those of kernels that can are executed together, while this thread
   * computes what they are compared with. Nothing is remembered of them. A second call while the first waits for the
   * device prepares its products in that time.
   * @throws Problem device-lost; other problems are the answer to their case.
   */
  async gatherMany(requests: readonly Request[], open: Machine): Promise<Gathered[]> {
    const prepared = this.timing.compute('operands', () =>
      requests.map((request) => settled(() => prepare(request))),
    );
    const together = prepared.flatMap((one) =>
      'error' in one || one.value === undefined ? [] : [one.value],
    );
    const found = new Map<Request, Evidence>();
    try {
      const works = together.map(({ work }) => work);
      const known: { reference: Reference; analysis: Analysis }[] = [];
      const compare = () => {
        for (const { pair, ...rest } of together) {
          const reference = this.timing.compute('exact', () =>
            referenceOf(pair, exactProduct(pair.a, pair.b)),
          );
          const analysis = this.timing.compute('analysis', () => analysisOf({ pair, ...rest }));
          known.push({ reference, analysis });
        }
      };
      const executions = await this.inTurn(() =>
        this.timing.wait('device', () => multiplyMany(open, works, compare)),
      );
      together.forEach(({ work: _, ...about }, at) => {
        const { reference, analysis } = known[at];
        const all = { ...about, ...reference, analysis, execution: executions[at], open };
        found.set(
          about.request,
          this.timing.compute('measures', () => weigh(all)),
        );
      });
    } catch (error) {
      // One by one, they say whose error it was.
      if (!(error instanceof Problem) || error.code === 'device-lost') throw error;
    }
    const answers: Gathered[] = [];
    for (const [at, request] of requests.entries()) {
      const one = prepared[at];
      const evidence = found.get(request);
      if ('error' in one) answers.push(one);
      else answers.push(evidence === undefined ? await this.alone(request, open) : { evidence });
    }
    return answers;
  }

  /** Error scopes are a stack of the device: products take turns. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }

  private async alone({ case: value, kernel }: Request, open: Machine): Promise<Gathered> {
    try {
      return { evidence: await this.gather(value, kernel, open) };
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'device-lost') throw error;
      return { error };
    }
  }
}

/** Only kernels on an open device have work to be executed together. */
async function multiplyMany(
  open: Machine,
  works: readonly Work[],
  meanwhile: () => void,
): Promise<Execution[]> {
  return works.length === 0 ? [] : executeMany(open as OpenDevice, works, meanwhile);
}

/** A product that is ready to be executed. */
interface Prepared extends Pick<Evidence, 'case' | 'kernel' | 'plan' | 'family' | 'pair'> {
  readonly request: Request;
  readonly work: Work;
}

/** Undefined for what is multiplied alone. */
function prepare(request: Request): Prepared | undefined {
  const { case: value, kernel } = request;
  if (kernel.work === undefined || layoutFor(value, kernel) !== undefined) return undefined;
  const family = inputOf(value);
  const plan = planOf(value, kernel);
  const pair = pairOf(value, family, kernel);
  return { request, case: value, kernel, plan, family, pair, work: kernel.work(pair.a, pair.b, plan) };
}

function settled<T>(work: () => T): { value: T } | { error: Problem } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof Problem) return { error };
    throw error;
  }
}

/** @throws Problem `kernel-refuses` where the kernel takes no other layout than the plain one. */
function layoutFor({ layout, m, k, n }: Case, { name, layouts }: Kernel): OperandLayout | undefined {
  if (layout === undefined) return undefined;
  const parsed = parseLayout(layout);
  if (formatLayout(parsed) === formatLayout(plainLayout)) return undefined;
  if (layouts === true || (layouts === 'dense' && parsed.pad === 0)) return parsed;
  const apart = layouts === 'dense' ? 'not apart' : 'neither transposed nor apart';
  const why = `it takes rows of A and B one after the other only, ${apart}`;
  throw problem('kernel-refuses', { kernel: name, shape: `${m}×${k}×${n} laid out as ${layout}`, why });
}

function pairOf(value: Case, family: InputFamily, { arithmetic }: Kernel): InputPair {
  const { m, k, n, levels, seed, init } = value;
  const request = { m, k, n, levels, seed, precision: precisions[arithmetic.precision] };
  return family.generate(init === undefined ? request : { ...request, init });
}

/** What a product is compared with, whatever computes it. */
interface Reference extends Pick<Evidence, 'pair' | 'exact' | 'sizes'> {
  readonly absProduct: Float64Array;
}

function referenceOf(pair: InputPair, exact: ExactProduct): Reference {
  const { a, b } = pair;
  const sizes = { a: operandSize(a), b: operandSize(b) };
  return { pair, exact, absProduct: absoluteProduct(a, b), sizes };
}

function analysisOf({ kernel, plan, pair }: Pick<Evidence, 'case' | 'kernel' | 'plan' | 'pair'>): Analysis {
  return allowing(analyse(plan, pair.a, pair.b, kernel.arithmetic), kernel.latitude);
}

function weigh({
  absProduct,
  ...about
}: Omit<Evidence, 'measures'> & Pick<Reference, 'absProduct'>): Evidence {
  const { kernel, pair, exact, sizes, execution } = about;
  const measures = measure({
    computed: execution.c,
    exact: { value: exact.product.data, low: exact.low },
    ideal: pair.ideal,
    absProduct,
    sizeA: sizes.a,
    sizeB: sizes.b,
    u: unitRoundoffOf(kernel.arithmetic),
    round: precisions[kernel.arithmetic.precision].stored.round,
  });
  return { ...about, measures };
}

/** A kernel that throws anything but a problem of the device has failed; the campaign goes on. */
async function blaming<T>({ name }: Kernel, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw problem(
      'kernel-threw',
      { kernel: name, why: error instanceof Error ? error.message : String(error) },
      error,
    );
  }
}
