import { whyNotComputed } from '../../src/kernels/check-kernel.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import type { Gemm } from '../../src/matrix/gemm.ts';
import { type Entries, entriesChanged } from '../../src/matrix/operands.ts';
import type { Precision } from '../../src/precision/precision.ts';
import { precisions } from '../../src/precision/precisions.ts';
import {
  countProducts,
  type GraderProduct,
  type GraderRequest,
  type MatrixStorageSpec,
  shrinkProduct,
  toGraderGemm,
} from './ask.ts';
import type { Grader } from './grader.ts';
import { type PreparedProduct, prepareProduct, visitEntries } from './prepared.ts';
import { formatOf } from './reference.ts';

/** The outcome of asking a kernel for some products. */
export interface GraderVerdict {
  /** True if one product failed. */
  readonly caught: boolean;
  /** The product that failed, and how, in a clause. */
  readonly why?: string;
  /** The numbers of products and of multiplications so far. */
  readonly products: number;
  readonly work: number;
}

/** Options of asking a kernel for products. */
export interface GraderOptions {
  readonly seed: number;
  /** The most multiplications of a product; larger ones are shrunk. */
  readonly most: number;
}

/** The most entries of prepared products that are kept for other kernels. */
const KEPT = 2 ** 23;

/** A cache of prepared products, by what decides their operands and expected results. */
export class PreparedProducts {
  readonly #kept = new Map<GraderRequest, Map<string, PreparedProduct>>();
  #entries = 0;

  /** Prepares a product; large ones are not kept. */
  of(
    ask: GraderRequest,
    wanted: GraderProduct,
    grader: Grader,
    precision: Precision,
    seed: number,
  ): PreparedProduct {
    const key = `${precision.name} ${grader.reference} ${grader.rounds} ${JSON.stringify(wanted)}`;
    const known = this.#kept.get(ask)?.get(key);
    if (known !== undefined) return known;
    const made = prepareProduct(toGraderGemm(wanted), ask, grader, precision, seed);
    const entries = made.a.length + made.b.length + made.c.length + made.d.length + made.expected.length + 64;
    if (this.#entries + entries <= KEPT) {
      this.#entries += entries;
      const own = this.#kept.get(ask) ?? new Map<string, PreparedProduct>();
      this.#kept.set(ask, own.set(key, made));
    }
    return made;
  }
}

/** Asks a kernel for products in order until one fails. Features that it does not accept are left out. */
export async function gradeByProducts(
  grader: Grader,
  asks: readonly GraderRequest[],
  kernel: FunctionKernel,
  { seed, most }: GraderOptions,
  kept = new PreparedProducts(),
): Promise<GraderVerdict> {
  const precision = precisions.find(kernel.precision ?? 'f32');
  let [products, work] = [0, 0];
  /** Products that become equal once unsupported features are left out are asked once. */
  const alike = new Set<string>();
  for (const [at, ask] of asks.entries()) {
    const small = shrinkProduct(ask.wanted, most);
    const wanted = fitToFeatures(small, kernel);
    if (wanted === undefined) continue;
    if (wanted !== small) {
      const key = JSON.stringify(wanted);
      if (alike.has(key)) continue;
      alike.add(key);
    }
    const ready = kept.of(ask, wanted, grader, precision, seed * 2 ** 20 + at);
    for (let time = 0; time < (ask.times ?? 1); time++) {
      products++;
      work += countProducts(wanted);
      const wrong = await wrongIn(grader, kernel, ready, precision);
      if (wrong !== undefined)
        return { caught: true, why: `${wrong} at ${told(ready.gemm)}`, products, work };
    }
  }
  return { caught: false, products, work };
}

const told = ({ m, k, n, batch, alpha, beta, a, b }: Gemm): string => {
  const ops = a.op === 'n' && b.op === 'n' ? '' : ` ${a.op}${b.op}`;
  const factors = alpha === 1 && beta === 0 ? '' : ` alpha=${alpha} beta=${beta}`;
  return `${m}x${k}x${n}${batch === 1 ? '' : ` batch ${batch}`}${ops}${factors}`;
};

/**
 * The wanted product with as many features as the kernel accepts. It drops gaps, column-major order, a separate D, and factors;
 * undefined if the kernel accepts none of these variants.
 */
export function fitToFeatures(wanted: GraderProduct, kernel: FunctionKernel): GraderProduct | undefined {
  const gaplessly = changing(wanted, { pad: 0, offset: 0 });
  const laid = [wanted, gaplessly, changing(wanted, { order: 'row' }), changing(gaplessly, { order: 'row' })];
  const placed = [...laid, ...laid.map((one) => ({ ...one, apart: false }))];
  const tries = [...placed, ...placed.map((one) => ({ ...one, alpha: 1, beta: 0 }))];
  return tries.find((one) => whyNotComputed(kernel, toGraderGemm(one)) === undefined);
}

/** The product with each matrix stored differently. */
const changing = (wanted: GraderProduct, stored: MatrixStorageSpec): GraderProduct => ({
  ...wanted,
  a: { ...wanted.a, ...stored },
  b: { ...wanted.b, ...stored },
  c: { ...wanted.c, ...stored },
});

/** The fault of one answer, in a few words; undefined if it passes. */
async function wrongIn(
  grader: Grader,
  kernel: FunctionKernel,
  ready: PreparedProduct,
  precision: Precision,
): Promise<string | undefined> {
  const { gemm } = ready;
  const [a, b, d] = [ready.a.slice(), ready.b.slice(), ready.d.slice()];
  const c = gemm.c === gemm.d ? d : ready.c.slice();
  let answer: unknown;
  try {
    // Kernels that accept binary64 get such entries.
    answer = await kernel.multiply(
      a as Float32Array,
      b as Float32Array,
      gemm,
      c as Float32Array,
      d as Float32Array,
    );
  } catch (error) {
    return `it throws ${error instanceof Error ? error.message : String(error)}`;
  }
  const out = laidAs(answer, d);
  if (out === undefined) return 'it returns no product';
  const format = formatOf(grader, precision);
  const found = entriesOf(out, gemm, format.round);
  const { expected, sizes } = ready;
  if (!grader.passes({ found, expected, sizes, k: gemm.k, precision, format })) return 'wrong product';
  return grader.guards ? changedIn(ready, { a, b, d: out }) : undefined;
}

/** The returned array, if it can hold D. */
const laidAs = (answer: unknown, d: Entries): Entries | undefined =>
  (answer instanceof Float32Array || answer instanceof Float64Array) && answer.length === d.length
    ? answer
    : undefined;

/** Entries of D in row-major order, rounded. */
function entriesOf(d: Entries, { m, n, batch, d: laid }: Gemm, round: (x: number) => number): Float64Array {
  const found = new Float64Array(m * n * batch);
  let e = 0;
  visitEntries(laid, m, n, batch, (at) => {
    found[e++] = round(d[at]);
  });
  return found;
}

/** The change to an operand, or to the gaps of D, if there is one. */
function changedIn(
  ready: PreparedProduct,
  now: { readonly a: Entries; readonly b: Entries; readonly d: Entries },
): string | undefined {
  const { m, n, batch, d: laid } = ready.gemm;
  if (entriesChanged(ready.a, now.a) > 0) return 'A was modified';
  if (entriesChanged(ready.b, now.b) > 0) return 'B was modified';
  const [before, after] = [ready.d.slice(), now.d.slice()];
  for (const one of [before, after]) {
    visitEntries(laid, m, n, batch, (at) => {
      one[at] = 0;
    });
  }
  return entriesChanged(before, after) === 0 ? undefined : 'memory beside D was modified';
}
