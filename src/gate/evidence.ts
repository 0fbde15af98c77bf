import { absoluteProduct } from '../accuracy/absolute-product.ts';
import { type Measures, measure } from '../accuracy/measures.ts';
import { type OperandSize, operandSize } from '../accuracy/operand-size.ts';
import { type Precision, precisions } from '../formats/precision.ts';
import type { Machine } from '../gpu/device.ts';
import type { Execution } from '../gpu/execute.ts';
import type { InputFamily, InputPair } from '../inputs/input.ts';
import { findInput } from '../inputs/inputs.ts';
import { allowing } from '../kernel/foreign.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Plan } from '../plan/plan.ts';
import { Problem, problem } from '../problems.ts';
import { type Analysis, analyse } from '../readers/analysis.ts';
import { unitRoundoffOf } from '../readers/device-errors.ts';
import type { ExactProduct } from '../reference/exact.ts';
import type { Case } from './case.ts';
import { Memo } from './memo.ts';

/** Everything that is known about one product when it is judged. */
export interface Evidence {
  readonly case: Case;
  readonly kernel: Kernel;
  readonly plan: Plan;
  readonly family: InputFamily;
  readonly pair: InputPair;
  readonly execution: Execution;
  readonly exact: ExactProduct;
  readonly analysis: Analysis;
  readonly measures: Measures;
  readonly sizes: { readonly a: OperandSize; readonly b: OperandSize };
  readonly open: Machine;
}

/** How the exact product is computed: in this thread, or spread over workers. */
export type ExactMultiply = (a: Matrix, b: Matrix) => ExactProduct | Promise<ExactProduct>;

/** Gathers evidence, computing what cases share only once. */
export class Laboratory {
  private readonly exactMultiply: ExactMultiply;
  private readonly references = new Memo<Reference>(8);
  private readonly analyses = new Memo<Analysis>(32);

  constructor(exactMultiply: ExactMultiply) {
    this.exactMultiply = exactMultiply;
  }

  /** @throws Problem from making the input, compiling the plan, or running the kernel. */
  async gather(value: Case, kernel: Kernel, open: Machine): Promise<Evidence> {
    const { m, k, n, levels, border, edge, seed } = value;
    const family = findInput(value.input);
    const inputKey = [value.input, m, k, n, levels, seed, value.init, kernel.arithmetic.precision].join();
    const plan = kernel.plan({ m, k, n }, value);
    const precision = precisions[kernel.arithmetic.precision];
    const reference = await this.references.get(inputKey, () => this.reference(family, value, precision));
    const { pair, exact, absProduct, sizes } = reference;
    // A leaf kernel's tile is part of the plan only where blocks are padded to it.
    const padded = edge === 'pad' ? kernel.leaf : '';
    const own = kernel.leaf === '' ? kernel.name : '';
    const analysisKey = [inputKey, kernel.algorithm, own, border, padded, open.fingerprint.id].join();
    const analysed = () =>
      this.analyses.keep(
        analysisKey,
        this.analyses.find(analysisKey) ??
          allowing(analyse(plan, pair.a, pair.b, kernel.arithmetic), kernel.latitude),
      );
    const execution = await blaming(kernel, () => kernel.multiply(pair.a, pair.b, plan, analysed));
    const analysis = analysed();
    const measures = measure({
      computed: execution.c,
      exact: { value: exact.product.data, low: exact.low },
      ideal: pair.ideal,
      absProduct,
      sizeA: sizes.a,
      sizeB: sizes.b,
      u: unitRoundoffOf(kernel.arithmetic),
      round: precision.stored.round,
    });
    return { case: value, kernel, plan, family, pair, execution, exact, analysis, measures, sizes, open };
  }

  private async reference(
    family: InputFamily,
    { m, k, n, levels, seed, init }: Case,
    precision: Precision,
  ): Promise<Reference> {
    const request = { m, k, n, levels, seed, precision };
    const pair = family.generate(init === undefined ? request : { ...request, init });
    const { a, b } = pair;
    const exact = await this.exactMultiply(a, b);
    return {
      pair,
      exact,
      absProduct: absoluteProduct(a, b),
      sizes: { a: operandSize(a), b: operandSize(b) },
    };
  }
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

interface Reference extends Pick<Evidence, 'pair' | 'exact' | 'sizes'> {
  readonly absProduct: Float64Array;
}
