import { type Campaign, defaultCampaign } from '../gate/campaign.ts';
import type { NamedConfig } from './config.ts';
import { shapeOf } from './flags.ts';

/** The default campaign with what a config changes; named sizes are all run, without the growth series. */
export function campaignOf({ kernels, sizes, ...config }: NamedConfig): Campaign {
  const said = Object.fromEntries(
    Object.entries(config).filter(([key, value]) => key in defaultCampaign && value !== undefined),
  );
  const named = kernels === undefined ? {} : { kernels: kernelNames(kernels) };
  if (sizes === undefined) return { ...defaultCampaign, ...said, ...named };
  const few = { replicates: 0, shapesEach: 'all', combinations: false, plain: true } as const;
  const all = { shapes: sizes.map(shapeOf), ...few };
  return { ...defaultCampaign, ...all, ...said, ...named };
}

/** The names of kernels, whether a config names them or brings them. */
export function kernelNames(kernels: NonNullable<NamedConfig['kernels']>): string[] {
  return kernels.map((kernel) => (typeof kernel === 'string' ? kernel : kernel.name));
}
