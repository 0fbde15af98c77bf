import { precisionNames } from '../formats/precision.ts';
import { builtinCatalogue, type Catalogue } from '../kernel/catalogue.ts';
import type { Campaign, PlannedCase } from './campaign.ts';
import { planCampaign } from './plan-campaign.ts';

const SAMPLE = {
  kernels: ['classical:register', 'strassen:register'],
  inputs: ['integers', 'uniform'],
  levels: [0, 1],
  /** No tile and no power of two divides it, and binary16 still adds its integers exactly. */
  shape: { m: 19, k: 14, n: 27 },
};

/**
 * A few cases in every precision but binary32, for a campaign in binary32 alone: of what it covers, the classical and
 * Strassen's product at no level and one, on integers and uniform data of one shape.
 */
export function precisionSample(campaign: Campaign, catalogue: Catalogue = builtinCatalogue): PlannedCase[] {
  const chosen = new Set(campaign.kernels.flatMap((pattern) => catalogue.expand(pattern)));
  return planCampaign({
    ...campaign,
    kernels: SAMPLE.kernels.filter((name) => chosen.has(name)),
    inputs: SAMPLE.inputs.filter((name) => campaign.inputs.includes(name)),
    levels: SAMPLE.levels.filter((level) => campaign.levels.includes(level)),
    shapes: [SAMPLE.shape],
    precisions: precisionNames.filter((name) => name !== 'f32'),
    shapesEach: 1,
    replicates: 0,
    combinations: false,
  });
}
