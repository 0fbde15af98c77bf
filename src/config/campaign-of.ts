import { type Campaign, defaultCampaign } from '../gate/campaign.ts';
import { shapeOf } from '../options/kinds.ts';
import { type Budget, budgetOf, type RunLimit } from '../run/budget.ts';
import type { NamedConfig } from './config.ts';

/**
 * Applies a config to the default campaign, and adds the cases that its budget draws. They are drawn from its seed, else from the
 * date (where cases are counted, from the usual seed). Named sizes are all run, without the growth series, and nothing is drawn.
 */
export function makeCampaign(
  { kernels, sizes, seed, budget, cases, ...config }: NamedConfig,
  usual?: string,
): Campaign {
  const said = Object.fromEntries(
    Object.entries(config).filter(
      ([key, value]) => Object.hasOwn(defaultCampaign, key) && value !== undefined,
    ),
  );
  const named = kernels === undefined ? {} : { kernels: kernelNames(kernels) };
  if (sizes === undefined) {
    const draws = {
      seed: seed ?? seedOfDay(),
      ...requiredBudget({ budget }, cases === undefined ? usual : undefined),
    };
    return { ...defaultCampaign, ...said, ...named, draws };
  }
  const few = { replicates: 0, shapesEach: 'all', combinations: false, plain: true } as const;
  const all = { shapes: sizes.map(shapeOf), ...(seed === undefined ? {} : { seed }), ...few };
  return { ...defaultCampaign, ...all, ...said, ...named };
}

/** The budget of a config, else the one named `usual`. */
const requiredBudget = ({ budget }: Pick<NamedConfig, 'budget'>, usual = 'usual'): Budget =>
  budgetOf(budget ?? usual) as Budget;

/** Returns the limit of the cases of each kernel; named sizes are all run, unless a budget is named as well. */
export function limitFor(
  { sizes, budget, cases }: Pick<NamedConfig, 'budget' | 'cases' | 'sizes'>,
  usual?: string,
): RunLimit | undefined {
  if (cases !== undefined) return { cases };
  return sizes !== undefined && budget === undefined ? undefined : requiredBudget({ budget }, usual).seconds;
}

/** Returns the seed that a campaign reports: that of its drawn cases, else that of its cases. */
export const seedOf = ({ draws, seed }: Campaign): number => draws?.seed ?? seed;

/** Returns the date in UTC as a number, 20261231: draws change from day to day, and can be repeated. */
export const seedOfDay = (now = new Date()): number =>
  Number(now.toISOString().slice(0, 10).replaceAll('-', ''));

/** Returns the names of kernels, whether a config names them or brings them. */
export function kernelNames(kernels: NonNullable<NamedConfig['kernels']>): string[] {
  return kernels.map((kernel) => (typeof kernel === 'string' ? kernel : kernel.name));
}
