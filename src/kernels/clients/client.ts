import { everything, type Features } from '../../matrix/features.ts';
import { extentsOf, type Gemm, type MatrixLayout, storedCount, storedLinesOf } from '../../matrix/gemm.ts';
import type { Entries } from '../../matrix/operands.ts';
import type { KernelSpec } from '../claims.ts';

/** A matrix, or those of a batch, in the form of tensor libraries: without gaps. */
export interface TensorMatrix {
  readonly entries: Entries;
  /** Rows and columns as stored. For a batch, the number of matrices comes first: 1 where all products share one. */
  readonly sizes: readonly number[];
  /** True if the factor is the transpose of the stored matrix. */
  readonly transposed: boolean;
}

/** Computes D = alpha·op(A)·op(B) + beta·C, row by row, one product of a batch after the other. @param c left out where beta is 0 */
export type LibraryMultiply = (
  a: TensorMatrix,
  b: TensorMatrix,
  gemm: Gemm,
  c?: TensorMatrix,
) => Promise<Entries>;

/** Returns a function that starts each product when the one before has ended, well or not. */
export function queueProducts(multiply: LibraryMultiply): LibraryMultiply {
  let last: Promise<unknown> = Promise.resolve();
  return (...asked) => {
    const made = last.then(() => multiply(...asked));
    last = made.catch(() => undefined);
    return made;
  };
}

/** Features of libraries that multiply stacks of matrices, add and scale them, and return a new tensor. */
export const tensors: Features = {
  ...everything,
  ...{ columns: false, leadingDimensions: false, offsets: false },
};

/** A package of another library, which this package neither contains nor installs. */
export interface PeerPackage {
  readonly name: string;
  /** The supported version, as far as it must agree: `4`, or `0.1` where minor versions change everything. */
  readonly version: string;
  /** The module to import. @defaultValue the package's name */
  readonly entry?: string | undefined;
}

/** An adapter to a library of npm, wherever it was loaded. */
export interface LibraryClient<L = never> extends KernelSpec {
  /** The packages it needs. The first one gives the version, and its exports are passed to {@link open}. */
  readonly peers: readonly PeerPackage[];
  /** True if it computes on `navigator.gpu`. */
  readonly usesAdapter?: boolean;
  /** Sets up the library in a process that loads it for this kernel alone. */
  readonly alone?: (library: L) => void;
  /** Prepares the library and returns its multiplication. */
  readonly open: (library: L) => LibraryMultiply | Promise<LibraryMultiply>;
}

/** Computes a product by a library, from entries as kernels get them. */
export const computeByLibrary = (
  multiply: LibraryMultiply,
  a: Entries,
  b: Entries,
  gemm: Gemm,
  c: Entries,
): Promise<Entries> =>
  multiply(...operandsOf(a, b, gemm), gemm, gemm.beta === 0 ? undefined : stored('c', c, gemm));

/**
 * Returns A and B. With alpha = 0 they are zeros: they hold NaN then, and only BLAS promises not to read it. Where all products of a batch
 * share A and B, A is repeated, since libraries take the batch size from their operands.
 */
function operandsOf(a: Entries, b: Entries, gemm: Gemm): [TensorMatrix, TensorMatrix] {
  const zeros = (x: Entries) => (gemm.alpha === 0 ? x.map(() => 0) : x);
  const [x, y] = [stored('a', zeros(a), gemm), stored('b', zeros(b), gemm)];
  const { batch } = gemm;
  if (batch <= 1 || x.sizes[0] === batch || y.sizes[0] === batch) return [x, y];
  const entries = new (a.constructor as Float32ArrayConstructor)(batch * a.length) as Entries;
  for (let p = 0; p < batch; p++) entries.set(x.entries, p * a.length);
  return [{ ...x, entries, sizes: [batch, ...x.sizes.slice(1)] }, y];
}

function stored(name: 'a' | 'b' | 'c', entries: Entries, gemm: Gemm): TensorMatrix {
  const laid: MatrixLayout = gemm[name];
  const extent = extentsOf(gemm)[name];
  const { lines, entries: each } = storedLinesOf(laid, extent);
  const count = gemm.batch === 1 ? [] : [storedCount(laid, gemm.batch, extent)];
  return {
    entries,
    sizes: [...count, lines, each],
    transposed: laid.op === 't',
  };
}

/** Returns an error of the messages that a device reported beside a product; undefined where there are none. */
export function makeReportedError([first, ...more]: readonly string[]): Error | undefined {
  if (first === undefined) return undefined;
  const count = more.length > 0 ? ` ${more.length + 1} errors, first` : '';
  return new Error(`its device reports${count}: ${first}`);
}
