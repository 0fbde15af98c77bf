import { noCases } from '../../fuzz/messages.ts';
import { planCampaign } from '../../gate/plan-campaign.ts';
import { type Catalogue, catalogueOf } from '../../kernels/catalogue.ts';
import { checkCase } from '../../kernels/check-case.ts';
import { clientKernels } from '../../kernels/clients/node/clients.ts';
import { openExternal } from '../../kernels/host/node/open-external.ts';
import { parseCase } from '../../problem/case.ts';
import { noBaselines } from '../../run/baselines.ts';
import type { Judged } from '../../run/judge.ts';
import { judgeInNode } from '../../run/node/judge.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { readWaiver } from '../../run/waivers.ts';
import { campaignOf, secondsFor } from '../campaign-of.ts';
import type { Config } from '../config.ts';
import { mergeOptions } from '../options.ts';
import { ownKernels } from '../own-kernels.ts';
import { parseConfig } from '../schema.ts';
import { withFileKernels } from './file-kernels.ts';
import { knownNames } from './known-names.ts';
import { adoptItems } from './own-items.ts';

/** A config, and perhaps the cases to run instead of its campaign. */
export interface JudgeConfig extends Config {
  /** Cases as failures print them. */
  readonly case?: string | readonly string[] | undefined;
}

/**
 * The gate as a function: judges kernels in this process, without reading or writing a file, so without baselines.
 * Programs run in processes of their own; a function that never returns stops this process with it.
 * @throws ParanoiaError `bad-config`, `bad-kernel`, `bad-case`, `no-cases`, `no-adapter`, …
 */
export async function judgeKernels({ case: texts, ...given }: JudgeConfig): Promise<Judged> {
  const known = knownNames();
  const named = { folder: process.cwd(), ways: {}, known: known.kernels };
  const whole = await withFileKernels(adoptItems(given, 'The config'), named);
  const config = parseConfig(whole.config, known);
  const catalogue = catalogueOf([...ownKernels(config), ...clientKernels]);
  const { adapter, toggles, thresholds, waivers = [] } = mergeOptions(config, {});
  const asked =
    texts === undefined ? planCampaign(campaignOf(config, 'quick'), catalogue) : casesOf(texts, catalogue);
  if (asked.length === 0) throw noCases();
  return judgeInNode({
    ...{ catalogue, adapter, toggles, thresholds, asked, sample: [], whole: texts === undefined },
    inspect: texts === undefined,
    budget: texts === undefined ? secondsFor(config, 'quick') : undefined,
    sessionOf: (spec, device) => openExternal(spec, { device, cwd: process.cwd() }),
    baselines: noBaselines,
    waivers: waivers.map(readWaiver),
  });
}

function casesOf(texts: string | readonly string[], catalogue: Catalogue): PlannedCase[] {
  const cases = [texts].flat().map((text) => ({ ...parseCase(text), series: false }));
  for (const value of cases) checkCase(value, catalogue);
  return cases;
}
