import { builtinCatalogue, type Catalogue } from '../kernel/catalogue.ts';
import type { Campaign, PlannedCase } from './campaign.ts';
import { fusedSample } from './fused-sample.ts';
import { precisionSample } from './precision-sample.ts';

/** What a campaign in binary32 also meets: the other precisions, and fused products. */
export function defaultSample(campaign: Campaign, catalogue: Catalogue = builtinCatalogue): PlannedCase[] {
  return [...precisionSample(campaign, catalogue), ...fusedSample(campaign, catalogue)];
}
