import { inputs } from '../../inputs/inputs.ts';
import { catalogueOf } from '../../kernel/catalogue.ts';
import { clientKernels } from '../../kernel/node/clients/clients.ts';
import { reporters } from '../../report/node/reporters.ts';
import type { KnownNames } from '../schema.ts';

/** Every name that options may hold without a config's own kernels. */
export const knownNames = (): KnownNames => ({
  kernels: catalogueOf(clientKernels).names,
  inputs: inputs.map(({ name }) => name),
  reporters: reporters.map(({ name }) => name),
});
