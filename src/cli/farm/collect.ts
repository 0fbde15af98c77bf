import { findConfig } from '../../config/node/find-config.ts';
import { findDefinitions } from '../../config/node/find-definitions.ts';
import { defaults } from '../../config/run-options.ts';
import { chooseCampaign } from '../../farm/node/campaign-file.ts';
import { collect } from '../../farm/node/collect.ts';
import { storeOf } from '../../farm/node/open-store.ts';
import { requireReportable } from '../../pages/node/reporters.ts';
import { publish, startLive } from '../gate/publish.ts';
import type { CollectRequest } from './options.ts';

/** Judges a campaign by its results in a store. @returns the exit code of the verdict */
export async function runCollect(request: CollectRequest): Promise<number> {
  const { out = defaults.out, reporters = defaults.reporters } = request;
  const store = await storeOf('--store', request.store, false);
  requireReportable(reporters, out);
  const campaign = await chooseCampaign(store, request.campaign);
  const results = await collect(store, campaign, {
    adapter: request.adapter,
    allowMixed: request.allowMixed === true,
    stamp: {
      createdAt: new Date().toISOString(),
      command: ['gemm-paranoia', ...process.argv.slice(2)].join(' '),
    },
  });
  const live = startLive(reporters, findDefinitions(findConfig(process.cwd()), []));
  const open = request.open === true;
  return publish(results, { reporters, out, live, open, verbose: request.verbose === true });
}
