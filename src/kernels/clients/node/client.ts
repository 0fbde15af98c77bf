import { dawnVersion } from '../../../gpu/node/dawn.ts';
import { type Offered, offerGpu } from '../../../gpu/node/offer.ts';
import { everything, type Features } from '../../../matrix/features.ts';
import { extentsOf, type Gemm, type Laid, linesOf, storedCount } from '../../../matrix/gemm.ts';
import type { Entries } from '../../../matrix/operands.ts';
import type { KernelSpec } from '../../claims.ts';
import type { FunctionKernel } from '../../user-kernel.ts';
import { findPeer, type Peer } from './peer.ts';

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

/** What libraries take that multiply tensors of any number of matrices, add and scale them, and give a new one. */
export const tensors: Features = {
  ...everything,
  ...{ columns: false, leadingDimensions: false, offsets: false },
};

/** A library of npm's as a kernel. */
export interface Client extends KernelSpec {
  /** The packages it needs, the one that gives it its version first. */
  readonly peers: readonly Peer[];
  /** Whether it computes on `navigator.gpu`. */
  readonly usesAdapter?: boolean;
  /** Makes it ready, from what its peers export, in their order. */
  readonly open: (...exports: never[]) => Multiply | Promise<Multiply>;
}

/**
 * The kernel of a client: its peers are found and loaded when it is prepared. What its devices report is thrown, since a
 * product after a validation error is whatever lay in memory.
 * @throws ParanoiaError `peer-missing`, `no-adapter` when it is prepared.
 */
export function clientKernel({ peers, open, usesAdapter = false, ...spec }: Client): FunctionKernel {
  const { name } = spec;
  const find = () => peers.map((peer) => findPeer(name, peer, peers));
  let multiply: Multiply | undefined;
  let gpu: Offered | undefined;
  return {
    ...spec,
    usesAdapter,
    async prepare() {
      const found = find();
      if (usesAdapter) gpu = await offerGpu();
      multiply = await (open as (...exports: unknown[]) => Multiply)(...found.map((peer) => peer.load()));
    },
    async multiply(a, b, gemm, c) {
      if (multiply === undefined) throw new Error(`${name} was not prepared`);
      gpu?.takeErrors();
      const d = await multiply(
        ...operandsOf(a, b, gemm),
        gemm,
        gemm.beta === 0 ? undefined : stored('c', c, gemm),
      );
      const [error, ...more] = gpu?.takeErrors() ?? [];
      if (error === undefined) return d;
      throw new Error(
        `its device reports${more.length > 0 ? ` ${more.length + 1} errors, first` : ''}: ${error}`,
      );
    },
    versions() {
      const found = find().map(({ version }, at) => [peers[at].name, version]);
      return Object.fromEntries(usesAdapter ? [...found, dawnVersion().split(' ')] : found);
    },
  };
}

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
