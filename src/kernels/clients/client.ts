import { everything, type Features } from '../../matrix/features.ts';
import { extentsOf, type Gemm, type Laid, linesOf, storedCount } from '../../matrix/gemm.ts';
import type { Entries } from '../../matrix/operands.ts';
import type { KernelSpec } from '../claims.ts';

/** A matrix, or those of a batch, as libraries of tensors take them: without gaps. */
export interface Stored {
  readonly entries: Entries;
  /** Rows and columns as stored; unless one product is asked for, before them how many there are: 1, where all take the same. */
  readonly sizes: readonly number[];
  /** Whether what is multiplied is the transpose of what is stored. */
  readonly transposed: boolean;
}

/** D = alpha·op(A)·op(B) + beta·C, row by row, one product of a batch after the other. @param c left out where beta is 0 */
export type Multiply = (a: Stored, b: Stored, gemm: Gemm, c?: Stored) => Promise<Entries>;

/** The same, each product begun when the one before has ended, well or not. */
export function oneByOne(multiply: Multiply): Multiply {
  let last: Promise<unknown> = Promise.resolve();
  return (...asked) => {
    const made = last.then(() => multiply(...asked));
    last = made.catch(() => undefined);
    return made;
  };
}

/** What libraries take that multiply tensors of any number of matrices, add and scale them, and give a new one. */
export const tensors: Features = {
  ...everything,
  ...{ columns: false, leadingDimensions: false, offsets: false },
};

/** A package of another library, which we neither bring nor install. */
export interface Peer {
  readonly name: string;
  /** The version supported, as far as it must agree: `4`, or `0.1` where minor versions change everything. */
  readonly version: string;
  /** What is imported of it. @defaultValue the package's name */
  readonly entry?: string | undefined;
}

/** How a library of npm's multiplies, wherever it was loaded. */
export interface Client<L = never> extends KernelSpec {
  /** The packages it needs, the one that gives it its version, and exports what {@link open} takes, first. */
  readonly peers: readonly Peer[];
  /** Whether it computes on `navigator.gpu`. */
  readonly usesAdapter?: boolean;
  /** Sets it up where nobody else does, in a process that loads it for one kernel alone. */
  readonly alone?: (library: L) => void;
  /** Makes it ready. */
  readonly open: (library: L) => Multiply | Promise<Multiply>;
}

/** The product of a library, from entries as kernels get them. */
export const product = (
  multiply: Multiply,
  a: Entries,
  b: Entries,
  gemm: Gemm,
  c: Entries,
): Promise<Entries> =>
  multiply(...operandsOf(a, b, gemm), gemm, gemm.beta === 0 ? undefined : stored('c', c, gemm));

/**
 * A and B. With alpha = 0 they are zeros: NaN lies there then, and only BLAS promises not to look at it. Where all products
 * of a batch take one A and one B, there are as many A as products: libraries take the size of a batch from their operands.
 */
function operandsOf(a: Entries, b: Entries, gemm: Gemm): [Stored, Stored] {
  const zeros = (x: Entries) => (gemm.alpha === 0 ? x.map(() => 0) : x);
  const [x, y] = [stored('a', zeros(a), gemm), stored('b', zeros(b), gemm)];
  const { batch } = gemm;
  if (batch <= 1 || x.sizes[0] === batch || y.sizes[0] === batch) return [x, y];
  const entries = new (a.constructor as Float32ArrayConstructor)(batch * a.length) as Entries;
  for (let p = 0; p < batch; p++) entries.set(x.entries, p * a.length);
  return [{ ...x, entries, sizes: [batch, ...x.sizes.slice(1)] }, y];
}

function stored(name: 'a' | 'b' | 'c', entries: Entries, gemm: Gemm): Stored {
  const laid: Laid = gemm[name];
  const extent = extentsOf(gemm)[name];
  const { lines, entries: each } = linesOf(laid, extent);
  const count = gemm.batch === 1 ? [] : [storedCount(laid, gemm.batch, extent)];
  return { entries, sizes: [...count, lines, each], transposed: laid.op === 't' };
}
