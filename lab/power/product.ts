import { defaultThresholds } from '../../src/evidence/checks/check.ts';
import { Evaluator } from '../../src/evidence/evaluate.ts';
import type { ProductJob } from '../../src/evidence/evidence.ts';
import { resultOf } from '../../src/evidence/result-of.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import type { Machine } from '../../src/gpu/device.ts';
import type { Claims } from '../../src/kernels/claims.ts';
import { externalKernel } from '../../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../../src/kernels/function-kernel.ts';
import type { Kernel } from '../../src/kernels/kernel.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import type { Shape } from '../../src/matrix/dense.ts';
import { applyClaims } from '../../src/precision/precision.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { type Case, caseOf } from '../../src/problem/case.ts';
import type { DoubleMatrix } from '../honest/recursion.ts';
import { productsOf, type SumFunction } from '../honest/sums.ts';

/** A product to which faults are added: its shape, precision, operands and claims. */
export interface PowerCase {
  readonly shape: Shape;
  readonly precision: string;
  readonly input: string;
  readonly seed: number;
  readonly claims: Claims;
}

/** Operands with their exact product, bound and expected errors, by which any candidate product is judged. */
export class PowerProduct {
  readonly shape: Shape;
  readonly a: DoubleMatrix;
  readonly b: DoubleMatrix;
  /** The product of the bit-exact model of the claims. */
  readonly honest: Float32Array;
  private readonly columns: Float64Array;
  private readonly ask: (c: Float32Array) => Promise<boolean>;

  private constructor(shape: Shape, job: ProductJob, honest: Float32Array, ask: PowerProduct['ask']) {
    const { m, k, n } = shape;
    const { a, b } = job.operands;
    this.shape = shape;
    this.a = { rows: m, cols: k, data: Float64Array.from(a.data) };
    this.b = { rows: k, cols: n, data: Float64Array.from(b.data) };
    this.columns = Float64Array.from(b.data, (_, at) => b.data[(at % k) * n + Math.floor(at / k)]);
    this.honest = honest;
    this.ask = ask;
  }

  static async of({ shape, precision, input, seed, claims }: PowerCase): Promise<PowerProduct> {
    let given: Float32Array = new Float32Array(shape.m * shape.n);
    const spec = { name: 'spoilt', precision, claims, multiply: () => given } as FunctionKernel;
    const kernel: Kernel = externalKernel(
      spec,
      openFunctionKernel(spec),
      applyClaims(precisions.find(precision), claims),
    );
    const { levels } = kernel.plan(shape, { levels: 0, fringe: 'pad', tail: 'mask' });
    const value: Case = caseOf({ kernel: 'spoilt', precision, input, seed, levels, ...shape });
    const evaluator = new Evaluator(exactProduct, { kept: 1 });
    const job = await evaluator.prepare(value, kernel);
    const evidence = await evaluator.evaluate(job, MACHINE);
    const honest = Float32Array.from(evidence.analysis?.model.data ?? []);
    return new PowerProduct(shape, job, honest, async (c) => {
      given = c;
      const found = await evaluator.evaluate(job, MACHINE);
      const { verdict } = await resultOf(value, kernel, found, defaultThresholds);
      return verdict === 'fail';
    });
  }

  /** True if the gate fails this candidate product. */
  fails(c: Float32Array): Promise<boolean> {
    return this.ask(c);
  }

  /** The exact products that are summed for an entry. */
  terms(e: number, operand: (x: number) => number = (x) => x): Float64Array {
    const { k, n } = this.shape;
    const line = (of: Float64Array, at: number) => of.subarray(at * k, (at + 1) * k);
    const [row, column] = [line(this.a.data, Math.floor(e / n)), line(this.columns, e % n)];
    return productsOf(row.map(operand), column.map(operand));
  }

  /** Computes every entry by the given sum. */
  by(sum: SumFunction, operand?: (x: number) => number): Float32Array {
    return this.honest.map((_, e) => sum(this.terms(e, operand)));
  }

  /** The correct product with one entry replaced. */
  but(e: number, entry: number): Float32Array {
    return this.honest.with(e, entry);
  }
}

const MACHINE = { fingerprint: { id: 'power' } } as Machine;
