import { withoutUndefined } from '../base/objects.ts';
import { loadPart } from '../base/part.ts';
import { defaultThresholds } from '../evidence/checks/check.ts';
import { builtinItems, type JudgingItems } from '../evidence/items.ts';
import { noCases } from '../fuzz/messages.ts';
import type { KernelCatalog } from '../kernels/kernel-catalog.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import { parseCase } from '../problem/case.ts';
import { noBaselines } from '../run/baselines.ts';
import type { JudgeOptions } from '../run/judge.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { makeRunCatalog } from '../run/run-catalog.ts';
import { readWaiver } from '../run/waivers.ts';
import { limitFor, makeCampaign } from './campaign-of.ts';
import type { NamedConfig } from './config.ts';
import { ownKernels } from './own-items.ts';

/** Judge options of a gate that is called as a function: it reads no file, so it has no baselines. */
type Asked = Pick<
  JudgeOptions,
  'catalog' | 'thresholds' | 'asked' | 'sample' | 'whole' | 'inspect' | 'budget' | 'baselines' | 'waivers'
>;

/**
 * Plans a quick gate of a config, or the given cases in its place.
 * @param texts cases as failures print them
 * @param items the built-in ones and those of the config
 * @param ofLibraries kernels that can be named in addition to those of the config
 * @throws ParanoiaError `bad-kernel`, `bad-case`, `no-cases`
 */
export async function planQuickGate(
  config: NamedConfig,
  texts: string | readonly string[] | undefined,
  items: JudgingItems = builtinItems,
  ofLibraries: readonly UserKernel[] = [],
): Promise<Asked> {
  const catalog = makeRunCatalog(ownKernels(config, items), items, ofLibraries);
  const { waivers = [] } = config;
  const thresholds = { ...defaultThresholds, ...withoutUndefined(config.thresholds ?? {}) };
  const isWhole = texts === undefined;
  const asked = isWhole ? await planned(config, catalog) : await casesOf(texts, catalog);
  if (asked.length === 0) throw noCases();
  return {
    ...{ catalog, thresholds, asked, sample: [], whole: isWhole, inspect: isWhole },
    budget: isWhole ? limitFor(config, 'quick') : undefined,
    baselines: noBaselines,
    waivers: waivers.map((waiver) => readWaiver(waiver)),
  };
}

async function planned(config: NamedConfig, catalog: KernelCatalog): Promise<PlannedCase[]> {
  const { planCampaign } = await loadPart('plans cases', () => import('../gate/plan-campaign.ts'));
  return planCampaign(makeCampaign(config, 'quick'), catalog);
}

async function casesOf(texts: string | readonly string[], catalog: KernelCatalog): Promise<PlannedCase[]> {
  const { checkWrittenCase } = await loadPart('checks cases', () => import('../kernels/check-case.ts'));
  const cases = [texts].flat().map((text) => ({ ...parseCase(text), series: false }));
  for (const value of cases) await checkWrittenCase(value, catalog);
  return cases;
}
