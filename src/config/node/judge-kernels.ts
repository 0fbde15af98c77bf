import { catchParanoiaError, ParanoiaError } from '../../base/errors.ts';
import { clientKernels } from '../../kernels/clients/node/clients.ts';
import { openExternal } from '../../kernels/host/node/open-in-process.ts';
import { parseCase } from '../../problem/case.ts';
import type { RunOutcome } from '../../run/judge.ts';
import { judgeInNode } from '../../run/node/judge.ts';
import type { Config } from '../config.ts';
import { listIn } from '../own-items.ts';
import { planQuickGate } from '../plan-quick-gate.ts';
import { parseConfig } from '../schema.ts';
import { withFileKernels } from './file-kernels.ts';
import { addMentionedTables } from './mentioned-tables.ts';
import { knownNames } from './node-items.ts';
import { readNodeItems } from './read-node-items.ts';

/** A config, and cases to run instead of its campaign. */
export interface JudgeConfig extends Config {
  /** Cases as failures print them. */
  readonly case?: string | readonly string[] | undefined;
}

/**
 * Judges kernels in this process: the gate as a function. It reads and writes no file, so it has no baselines. Programs run in
 * processes of their own. A function that never returns hangs this process.
 * @throws ParanoiaError `bad-config`, `bad-kernel`, `bad-case`, `no-cases`, `no-adapter`, …
 */
export async function judgeKernels({ case: texts, ...given }: JudgeConfig): Promise<RunOutcome> {
  const read = await readNodeItems(given, 'The config');
  const { kernels: known } = knownNames(read.items);
  const named = { folder: process.cwd(), ways: {}, known, items: read.items };
  const whole = await withFileKernels(read.config, named);
  const items = await addMentionedTables(read.items, [
    ...listIn(whole.config, 'kernels'),
    ...kernelsIn(texts),
  ]);
  const config = parseConfig(whole.config, knownNames(items));
  const { adapter, toggles } = config;
  return judgeInNode({
    ...(await planQuickGate(config, texts, items, clientKernels)),
    ...{ adapter, toggles },
    sessionOf: (spec, device, precision) => openExternal(spec, { device, cwd: process.cwd() }, precision),
  });
}

/** The names of the kernels of cases; a case that cannot be read is refused later, with the others. */
function kernelsIn(texts: JudgeConfig['case'] = []): string[] {
  return [texts].flat().flatMap((text) => {
    const value = catchParanoiaError(() => parseCase(text));
    return value instanceof ParanoiaError ? [] : [value.kernel];
  });
}
