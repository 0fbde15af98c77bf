import { type Campaign, defaultCampaign } from '../gate/campaign.ts';
import type { Config } from './config.ts';

/** The default campaign with what a config changes; named sizes are all run, without the growth series. */
export function campaignOf(config: Config): Campaign {
  const base = defaultCampaign;
  const shapes = config.sizes?.map((size) => {
    const [m, k, n] = typeof size === 'number' ? [size, size, size] : size;
    return { m, k, n };
  });
  return {
    kernels: config.kernels === undefined ? base.kernels : kernelNames(config.kernels),
    inputs: config.inputs ?? base.inputs,
    levels: config.levels ?? base.levels,
    shapes: shapes ?? base.shapes,
    precisions: config.precisions ?? base.precisions,
    borders: config.borders ?? base.borders,
    edges: config.edges ?? base.edges,
    seed: config.seed ?? base.seed,
    replicates: config.replicates ?? (shapes === undefined ? base.replicates : 0),
    shapesEach: shapes === undefined ? base.shapesEach : 'all',
    combinations: shapes === undefined,
  };
}

/** The names of kernels, whether a config names them or brings them. */
export function kernelNames(kernels: NonNullable<Config['kernels']>): string[] {
  return kernels.map((kernel) => (typeof kernel === 'string' ? kernel : kernel.name));
}
