import { catalogueOf } from '../../kernels/catalogue.ts';
import { clientKernels } from '../../kernels/clients/node/clients.ts';
import type { KnownNames } from '../options.ts';
import type { NodeItems } from './read-node-items.ts';

/** Every item and name that options may hold without a config's own kernels: those of its other items are among them once they are adopted. */
export const knownNames = (items: NodeItems): KnownNames & { readonly items: NodeItems } => ({
  kernels: catalogueOf(clientKernels, items).names,
  inputs: items.inputs.names,
  items,
  reporters: items.reporters.names,
});
