import { inputRegistry } from '../../inputs/inputs.ts';
import { catalogueOf } from '../../kernels/catalogue.ts';
import { clientKernels } from '../../kernels/clients/node/clients.ts';
import { reporters } from '../../pages/node/reporters.ts';
import type { Items } from '../../run/run-catalogue.ts';
import type { KnownNames } from '../options.ts';

/** Every item and name that options may hold without a config's own kernels: those of its other items are among them once they are adopted. */
export const knownNames = (items: Items): KnownNames & { readonly items: Items } => ({
  kernels: catalogueOf(clientKernels).names,
  inputs: inputRegistry.items.map(({ name }) => name),
  items,
  reporters: reporters.items.map(({ name }) => name),
});
