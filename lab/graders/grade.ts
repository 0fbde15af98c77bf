import { refusal } from '../../src/kernels/check-kernel.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import type { Gemm } from '../../src/matrix/gemm.ts';
import { type Entries, entriesChanged } from '../../src/matrix/operands.ts';
import type { Precision } from '../../src/precision/precision.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { type Ask, gemmOf, type Stored, shrunk, type Wanted, workOf } from './ask.ts';
import type { Grader } from './grader.ts';
import { eachEntry, type Prepared, prepare } from './prepared.ts';
import { formatOf } from './reference.ts';

/** What asking a kernel for some products came to. */
export interface Grade {
  /** Whether one product failed. */
  readonly caught: boolean;
  /** Which, and how, in a clause. */
  readonly why?: string;
  /** Products until then, and their multiplications. */
  readonly products: number;
  readonly work: number;
}

/** What the products of a kernel are asked with. */
export interface GradeOptions {
  readonly seed: number;
  /** Most multiplications of a product: larger ones are made smaller. */
  readonly most: number;
}

/** Products that are kept ready for other kernels: at most so many entries. */
const KEPT = 2 ** 23;

/** Products by what decides their operands and what is expected of them. */
export class PreparedProducts {
  readonly #kept = new Map<Ask, Map<string, Prepared>>();
  #entries = 0;

  /** The operands of a product and what is expected: made anew where they take too much to keep. */
  of(ask: Ask, wanted: Wanted, grader: Grader, precision: Precision, seed: number): Prepared {
    const key = `${precision.name} ${grader.reference} ${grader.rounds} ${JSON.stringify(wanted)}`;
    const known = this.#kept.get(ask)?.get(key);
    if (known !== undefined) return known;
    const made = prepare(gemmOf(wanted), ask, grader, precision, seed);
    const entries = made.a.length + made.b.length + made.c.length + made.d.length + made.expected.length + 64;
    if (this.#entries + entries <= KEPT) {
      this.#entries += entries;
      const own = this.#kept.get(ask) ?? new Map<string, Prepared>();
      this.#kept.set(ask, own.set(key, made));
    }
    return made;
  }
}

/** Asks a kernel for products in their order, until one fails. What it does not take is left out. */
export async function grade(
  grader: Grader,
  asks: readonly Ask[],
  kernel: FunctionKernel,
  { seed, most }: GradeOptions,
  kept = new PreparedProducts(),
): Promise<Grade> {
  const precision = precisions.find(kernel.precision ?? 'f32');
  let [products, work] = [0, 0];
  /** Products that are alike once what the kernel does not take is left out. */
  const alike = new Set<string>();
  for (const [at, ask] of asks.entries()) {
    const small = shrunk(ask.wanted, most);
    const wanted = taken(small, kernel);
    if (wanted === undefined) continue;
    if (wanted !== small) {
      const key = JSON.stringify(wanted);
      if (alike.has(key)) continue;
      alike.add(key);
    }
    const ready = kept.of(ask, wanted, grader, precision, seed * 2 ** 20 + at);
    for (let time = 0; time < (ask.times ?? 1); time++) {
      products++;
      work += workOf(wanted);
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
 * The most of what is wanted that a kernel takes: without gaps, by rows, D in place of C, and where it has no factors A·B
 * alone; undefined where it takes none of it.
 */
export function taken(wanted: Wanted, kernel: FunctionKernel): Wanted | undefined {
  const gaplessly = changing(wanted, { pad: 0, offset: 0 });
  const laid = [wanted, gaplessly, changing(wanted, { order: 'row' }), changing(gaplessly, { order: 'row' })];
  const placed = [...laid, ...laid.map((one) => ({ ...one, apart: false }))];
  const tries = [...placed, ...placed.map((one) => ({ ...one, alpha: 1, beta: 0 }))];
  return tries.find((one) => refusal(kernel, gemmOf(one)) === undefined);
}

/** The same with each matrix stored otherwise. */
const changing = (wanted: Wanted, stored: Stored): Wanted => ({
  ...wanted,
  a: { ...wanted.a, ...stored },
  b: { ...wanted.b, ...stored },
  c: { ...wanted.c, ...stored },
});

/** What is wrong with one answer, in a word or two; undefined where it passes. */
async function wrongIn(
  grader: Grader,
  kernel: FunctionKernel,
  ready: Prepared,
  precision: Precision,
): Promise<string | undefined> {
  const { gemm } = ready;
  const [a, b, d] = [ready.a.slice(), ready.b.slice(), ready.d.slice()];
  const c = gemm.c === gemm.d ? d : ready.c.slice();
  let answer: unknown;
  try {
    // Entries of binary64 come as such where the kernel says so.
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
  if (out === undefined) return 'no product is returned';
  const format = formatOf(grader, precision);
  const found = entriesOf(out, gemm, format.round);
  const { expected, sizes } = ready;
  if (!grader.passes({ found, expected, sizes, k: gemm.k, precision, format })) return 'another product';
  return grader.guards ? changedIn(ready, { a, b, d: out }) : undefined;
}

/** What a kernel returned, where it may hold D. */
const laidAs = (answer: unknown, d: Entries): Entries | undefined =>
  (answer instanceof Float32Array || answer instanceof Float64Array) && answer.length === d.length
    ? answer
    : undefined;

/** Entries of D by rows, rounded. */
function entriesOf(d: Entries, { m, n, batch, d: laid }: Gemm, round: (x: number) => number): Float64Array {
  const found = new Float64Array(m * n * batch);
  let e = 0;
  eachEntry(laid, m, n, batch, (at) => {
    found[e++] = round(d[at]);
  });
  return found;
}

/** Whether an operand, or what lies between the lines of D, is not what it was. */
function changedIn(
  ready: Prepared,
  now: { readonly a: Entries; readonly b: Entries; readonly d: Entries },
): string | undefined {
  const { m, n, batch, d: laid } = ready.gemm;
  if (entriesChanged(ready.a, now.a) > 0) return 'A is changed';
  if (entriesChanged(ready.b, now.b) > 0) return 'B is changed';
  const [before, after] = [ready.d.slice(), now.d.slice()];
  for (const one of [before, after]) {
    eachEntry(laid, m, n, batch, (at) => {
      one[at] = 0;
    });
  }
  return entriesChanged(before, after) === 0 ? undefined : 'memory beside D is changed';
}
