import { ParanoiaError } from '../../base/errors.ts';
import { badArgument } from '../../base/messages.ts';
import { columnsAfter, type Epilogue, type GivenStep, readEpilogue } from '../../epilogue/chain.ts';
import { type EntryNumbers, numberAt } from '../../epilogue/entry-numbers.ts';
import type { CaseItems } from '../../kernels/case-items.ts';
import { type Matrix, matrix } from '../../matrix/dense.ts';
import { shapesDiffer } from '../../matrix/messages.ts';
import { type Format, isWholeFormat } from '../../precision/format.ts';
import type { GivenProduct } from '../given-product.ts';

/** A given product whose entries pass through an epilogue before they are stored as D. */
export interface GivenWithEpilogue extends GivenProduct {
  /** The steps, in their order. */
  readonly epilogue: readonly GivenStep[];
}

/** A product, and what follows it. */
export interface SplitProduct {
  /** The product, with an addend of the first step as its C: a kernel may add it at the start of sums, or to complete sums. */
  readonly product: GivenProduct;
  /** The steps after that addend. */
  readonly rest: Epilogue;
  /** All steps, of the product without that addend. */
  readonly whole: Epilogue;
  /** True if the first step is the C of `product`. */
  readonly isFolded: boolean;
}

/**
 * Splits a given product into the sums and the steps that follow.
 * @throws ParanoiaError `bad-epilogue`, `bad-epilogue-step`, `unknown-name`, `shapes-differ` for a D that the steps do not leave,
 * `bad-argument` for `sigmas`
 */
export function splitProduct({ epilogue, ...given }: GivenWithEpilogue, items: CaseItems): SplitProduct {
  const { a, b, d, batch = 1, c, beta = 0, precision: named = 'f32' } = given;
  const sizes = { m: d.rows / batch, n: b.cols, batch };
  // Callers without types may give anything.
  if (Array.isArray(epilogue) && epilogue.length === 0) {
    const none = { steps: [], sizes };
    return { product: given, rest: none, whole: none, isFolded: false };
  }
  const whole = readEpilogue(epilogue, sizes);
  const n = columnsAfter(whole);
  if (d.cols !== n && a.cols === b.rows) {
    const why = `after its epilogue, D must be ${d.rows}×${n}`;
    throw shapesDiffer({ a: `A·B has ${b.cols} columns`, b: `D is ${d.rows}×${d.cols}`, why });
  }
  // The product has its own columns; its entries are not read.
  const product = { ...given, d: { rows: d.rows, cols: b.cols, data: d.data } };
  const { accumulated } = items.precisions.find(named);
  const { rest, addend } = withoutAddend(whole, c !== undefined && beta !== 0, accumulated);
  if (addend === undefined) return { product, rest, whole, isFolded: false };
  return { product: { ...product, c: addend, beta: 1 }, rest, whole, isFolded: true };
}

/**
 * Separates what the first step adds from the others, where a kernel may add it at the start of sums.
 * @param readsC true if the product adds a matrix of its own.
 */
export function withoutAddend(
  whole: Epilogue,
  readsC: boolean,
  accumulated: Format,
): { readonly rest: Epilogue; readonly addend?: Matrix } {
  const { steps, sizes } = whole;
  const [first, ...others] = steps;
  const values = first?.settings.values as EntryNumbers;
  const isFolded =
    first?.record.isAddend === true && !readsC && (!isWholeFormat(accumulated) || isWhole(values));
  return isFolded ? { rest: { steps: others, sizes }, addend: spread(values, sizes) } : { rest: whole };
}

const isWhole = (values: EntryNumbers): boolean =>
  typeof values === 'number' ? Number.isInteger(values) : values.data.every(Number.isInteger);

/** Repeats numbers for each entry of all products. */
function spread(values: EntryNumbers, { m, n, batch }: Epilogue['sizes']): Matrix {
  const rows = m * batch;
  if (typeof values !== 'number' && values.rows === rows && values.cols === n) return values;
  const isNarrow = typeof values !== 'number' && values.data instanceof Float32Array;
  const data = isNarrow ? new Float32Array(rows * n) : new Float64Array(rows * n);
  for (let i = 0, e = 0; i < rows; i++) for (let j = 0; j < n; j++, e++) data[e] = numberAt(values, m, i, j);
  return matrix(rows, n, data);
}

/** Returns an epilogue of other steps on the same product; undefined if they do not fit it. */
export function withSteps({ sizes, steps }: Epilogue, given: readonly GivenStep[]): Epilogue | undefined {
  try {
    return readEpilogue(given, sizes, steps.length + 1);
  } catch (error) {
    if (error instanceof ParanoiaError) return undefined;
    throw error;
  }
}

/** Refuses limits in expected errors, which no epilogue has. @throws ParanoiaError `bad-argument` */
export function refuseSigmas(sigmas: number | undefined): void {
  if (sigmas === undefined) return;
  throw badArgument({ what: 'sigmas', need: 'none beside an epilogue, which is judged by bounds alone' });
}
