import { dawnVersion } from '../../../gpu/node/dawn-version.ts';
import type { Offered } from '../../../gpu/node/offer.ts';
import type { FunctionKernel } from '../../user-kernel.ts';
import { type Client, type Multiply, product } from '../client.ts';
import { thrownOf } from '../reported.ts';
import { findPeer } from './peer.ts';

/**
 * Returns the kernel of a client: its peers are found and loaded when it is prepared. Errors that its devices report are thrown, since a
 * product after a validation error is whatever lay in memory.
 * @throws ParanoiaError `peer-missing`, `no-adapter` when it is prepared.
 */
export function clientKernel({ peers, open, alone, usesAdapter = false, ...spec }: Client): FunctionKernel {
  const { name } = spec;
  const find = () => peers.map((peer) => findPeer(name, peer, peers));
  let multiply: Multiply | undefined;
  let gpu: Offered | undefined;
  return {
    ...spec,
    usesAdapter,
    async prepare() {
      const found = find();
      if (usesAdapter) gpu = await (await import('../../../gpu/node/offer.ts')).offerGpu();
      // Other peers are loaded for their side effects on the first.
      const [library] = found.map((peer) => peer.load()) as never[];
      alone?.(library);
      multiply = await open(library);
    },
    async multiply(a, b, gemm, c) {
      if (multiply === undefined) throw new Error(`${name} was not prepared`);
      gpu?.takeErrors();
      const d = await product(multiply, a, b, gemm, c);
      const reported = thrownOf(gpu?.takeErrors() ?? []);
      if (reported === undefined) return d;
      throw reported;
    },
    versions() {
      const found = find().map(({ version }, at) => [peers[at].name, version]);
      return Object.fromEntries(usesAdapter ? [...found, dawnVersion().split(' ')] : found);
    },
  };
}
