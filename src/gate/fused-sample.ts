import { builtinCatalogue, type Catalogue } from '../kernel/catalogue.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Campaign, PlannedCase } from './campaign.ts';
import { planCampaign } from './plan-campaign.ts';

/** No blocking and no power of two divides it. */
const AWKWARD: Shape = { m: 43, k: 29, n: 51 };
/** Blocks of one row, and one of none: all is edge. */
const SMALL: Shape = { m: 3, k: 5, n: 7 };

const SAMPLE: readonly { kernel: string; levels: readonly number[]; shapes: readonly Shape[] }[] = [
  { kernel: 'strassen:fused', levels: [1], shapes: [SMALL, AWKWARD] },
  { kernel: 'strassen:fused-hybrid', levels: [2], shapes: [SMALL, AWKWARD] },
  { kernel: 'strassen:fused-atomic', levels: [1], shapes: [SMALL, AWKWARD] },
];
const INPUTS = ['integers', 'uniform'];

/**
 * A few cases of fused products, for a campaign that asks for all kernels of an algorithm, in binary32: each style, at one
 * number of levels, on integers and uniform data.
 */
export function fusedSample(campaign: Campaign, catalogue: Catalogue = builtinCatalogue): PlannedCase[] {
  if (!campaign.precisions.includes('f32')) return [];
  return SAMPLE.filter(({ kernel }) => campaign.kernels.includes(kernel.split(':')[0])).flatMap((row) =>
    planCampaign(
      {
        ...campaign,
        kernels: [row.kernel],
        inputs: INPUTS.filter((name) => campaign.inputs.includes(name)),
        levels: row.levels.filter((level) => campaign.levels.includes(level)),
        shapes: row.shapes,
        precisions: ['f32'],
        borders: ['pad'],
        edges: ['guard'],
        shapesEach: 'all',
        replicates: 0,
        combinations: false,
      },
      catalogue,
    ),
  );
}
