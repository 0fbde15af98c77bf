import { clientKernels } from '../../kernels/clients/node/clients.ts';
import { openExternal } from '../../kernels/host/node/open-in-process.ts';
import type { Judged } from '../../run/judge.ts';
import { judgeInNode } from '../../run/node/judge.ts';
import { askedOf } from '../asked-of.ts';
import type { Config } from '../config.ts';
import { parseConfig } from '../schema.ts';
import { adoptAllItems } from './adopt-items.ts';
import { withFileKernels } from './file-kernels.ts';
import { knownNames } from './known-names.ts';

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
  const { config: bare, items } = adoptAllItems(given, 'The config');
  const known = knownNames(items);
  const named = { folder: process.cwd(), ways: {}, known: known.kernels, items };
  const whole = await withFileKernels(bare, named);
  const config = parseConfig(whole.config, known);
  const { adapter, toggles } = config;
  return judgeInNode({
    ...(await askedOf(config, texts, items, clientKernels)),
    ...{ adapter, toggles },
    sessionOf: (spec, device, precision) => openExternal(spec, { device, cwd: process.cwd() }, precision),
  });
}
