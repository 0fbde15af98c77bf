import type { Registry } from '../../base/registry.ts';
import { builtinItems, type JudgingItems } from '../../evidence/items.ts';
import { clientKernels } from '../../kernels/clients/node/clients.ts';
import { makeKernelCatalog } from '../../kernels/kernel-catalog.ts';
import { type AnyReporter, reporters } from '../../pages/node/reporters.ts';
import type { KnownNames } from '../options.ts';

export interface NodeItems extends JudgingItems {
  readonly reporters: Registry<AnyReporter>;
}

export const builtinNodeItems: NodeItems = { ...builtinItems, reporters };

/** Lists the items and names that options may hold, without the kernels of a config. Its other items are included once they are adopted. */
export const knownNames = (items: NodeItems): KnownNames & { readonly items: NodeItems } => ({
  kernels: makeKernelCatalog(clientKernels, items).names,
  inputs: items.inputs.names,
  items,
  reporters: items.reporters.names,
});
