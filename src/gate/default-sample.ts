import { algorithms } from '../algorithms/algorithms.ts';
import { builtinCatalog, type KernelCatalog } from '../kernels/kernel-catalog.ts';
import type { Shape } from '../matrix/dense.ts';
import { isSampled } from '../precision/precisions.ts';
import type { Fringe } from '../problem/method.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { type Campaign, defaultCampaign } from './campaign.ts';
import { planCampaign } from './plan-campaign.ts';

/** Returns additional cases for a campaign, within its scope. */
type Sample = (campaign: Campaign, catalog?: KernelCatalog) => PlannedCase[];

/** Returns the additional cases of a campaign in binary32: the other precisions, fused products, and the other algorithms. */
export const defaultSample: Sample = (campaign, catalog) =>
  [precisionSample, fusedSample, algorithmSample].flatMap((sample) => sample(campaign, catalog));

const INPUTS = ['integers', 'uniform'];
/** A shape that no split of an algorithm, no tile and no power of two divides. */
const AWKWARD: Shape = { m: 43, k: 29, n: 51 };
/** A shape with blocks of one row and of none: all of it is edge. */
const SMALL: Shape = { m: 3, k: 5, n: 7 };
/** An awkward shape whose integers binary16 still adds exactly. */
const SHORT: Shape = { m: 19, k: 14, n: 27 };

/** Plans cases on integers and uniform data, without the growth series, at the requested levels that the campaign has. */
function sampled(campaign: Campaign, catalog: KernelCatalog, change: Partial<Campaign>): PlannedCase[] {
  const { levels = campaign.levels } = change;
  const within = {
    inputs: INPUTS.filter((name) => campaign.inputs.includes(name)),
    levels: levels.filter((level) => campaign.levels.includes(level)),
  };
  const few = { shapesEach: 'all', replicates: 0, combinations: false, draws: undefined } as const;
  return planCampaign({ ...campaign, ...few, ...change, ...within }, catalog);
}

/** Returns cases of every precision except binary32, within a campaign: the classical and Strassen's product, with zero and one level. */
export const precisionSample: Sample = (campaign, catalog = builtinCatalog) => {
  const chosen = new Set(campaign.kernels.flatMap((pattern) => catalog.expand(pattern)));
  return sampled(campaign, builtinCatalog, {
    kernels: ['classical:register', 'strassen:register'].filter((name) => chosen.has(name)),
    levels: [0, 1],
    shapes: [SHORT],
    precisions: catalog.precisions.items
      .filter((one) => one.name !== 'f32' && isSampled(one))
      .map(({ name }) => name),
  });
};

const FUSED: readonly { kernel: string; levels: number }[] = [
  { kernel: 'strassen:fused', levels: 1 },
  { kernel: 'strassen:fused-hybrid', levels: 2 },
  { kernel: 'strassen:fused-atomic', levels: 1 },
];
const PLAIN = { precisions: ['f32'], fringes: ['pad'], tails: ['mask'] } as const;

/** Returns cases of each style of fused products, for a campaign in binary32 with all kernels of an algorithm. */
export const fusedSample: Sample = (campaign, catalog = builtinCatalog) =>
  FUSED.filter(({ kernel }) => campaign.kernels.includes(kernel.split(':')[0])).flatMap(
    ({ kernel, levels }) =>
      campaign.precisions.includes('f32')
        ? sampled(campaign, catalog, {
            ...PLAIN,
            kernels: [kernel],
            levels: [levels],
            shapes: [SMALL, AWKWARD],
          })
        : [],
  );

/** The styles, each with a fringe. */
const STYLES: readonly { leaf: string; levels: number; fringe: Fringe }[] = [
  { leaf: 'register', levels: 1, fringe: 'pad' },
  { leaf: 'register', levels: 2, fringe: 'peel' },
  { leaf: 'wide', levels: 1, fringe: 'peel' },
  { leaf: 'fused', levels: 1, fringe: 'pad' },
  { leaf: 'fused-hybrid', levels: 2, fringe: 'peel' },
  { leaf: 'fused-atomic', levels: 1, fringe: 'peel' },
];

/** Returns cases of every algorithm outside the default campaign, for campaigns with all default kernels in binary32. */
export const algorithmSample: Sample = (campaign, catalog = builtinCatalog) => {
  const isDefault = defaultCampaign.kernels.every((name) => campaign.kernels.includes(name));
  if (!isDefault || !campaign.precisions.includes('f32')) return [];
  const others = algorithms.map(({ name }) => name).filter((name) => !defaultCampaign.kernels.includes(name));
  return STYLES.flatMap(({ leaf, levels, fringe }) =>
    sampled(campaign, catalog, {
      ...PLAIN,
      kernels: others.map((name) => `${name}:${leaf}`),
      levels: [levels],
      shapes: [AWKWARD],
      fringes: [fringe],
    }),
  );
};
