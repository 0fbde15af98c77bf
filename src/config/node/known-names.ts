import { clientKernels } from '../../kernels/clients/node/clients.ts';
import { makeKernelCatalog } from '../../kernels/kernel-catalog.ts';
import type { KnownNames } from '../options.ts';
import type { NodeItems } from './read-node-items.ts';

/** Lists the items and names that options may hold, without the kernels of a config. Its other items are included once they are adopted. */
export const knownNames = (items: NodeItems): KnownNames & { readonly items: NodeItems } => ({
  kernels: makeKernelCatalog(clientKernels, items).names,
  inputs: items.inputs.names,
  items,
  reporters: items.reporters.names,
});
