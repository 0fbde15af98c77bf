import { dawnVersion } from '../../../gpu/node/dawn.ts';
import { type Offered, offerGpu } from '../../../gpu/node/offer.ts';
import type { Shape } from '../../../matrix/dense.ts';
import type { Entries } from '../../../matrix/operands.ts';
import type { KernelSpec } from '../../claims.ts';
import type { FunctionKernel } from '../../user-kernel.ts';
import { findPeer, type Peer } from './peer.ts';

/** C = A·B, A m×k, B k×n, row by row. */
export type Multiply = (a: Entries, b: Entries, shape: Shape) => Promise<Entries>;

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
    async multiply(a, b, shape) {
      if (multiply === undefined) throw new Error(`${name} was not prepared`);
      gpu?.takeErrors();
      const c = await multiply(a, b, shape);
      const [error, ...more] = gpu?.takeErrors() ?? [];
      if (error === undefined) return c;
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
