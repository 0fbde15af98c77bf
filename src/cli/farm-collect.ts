import { type Flags, parseList, parseText } from '../config/flags.ts';
import { definedIn } from '../config/node/defined-in.ts';
import { findConfig } from '../config/node/find-config.ts';
import { defaults } from '../config/options.ts';
import { chosenCampaign } from '../farm/node/campaign-file.ts';
import { collect } from '../farm/node/collect.ts';
import { requireReportable } from '../pages/node/reporters.ts';
import { askedCampaign } from './farm-options.ts';
import { startLive } from './live-reports.ts';
import { publish } from './publish.ts';
import { storeOf } from './resume.ts';

/** Judges a campaign by what a store has of it. @returns the exit code of the verdict */
export async function runCollect(flags: Flags): Promise<number> {
  const out = flags.out === undefined ? defaults.out : parseText('--out', flags.out);
  const reporters =
    flags.reporter === undefined ? defaults.reporters : parseList('--reporter', flags.reporter);
  const store = await storeOf('--store', flags.store, false);
  requireReportable(reporters, out);
  const campaign = await chosenCampaign(store, askedCampaign(flags));
  const results = await collect(store, campaign, {
    adapter: flags.adapter === undefined ? undefined : parseText('--adapter', flags.adapter),
    allowMixed: flags.allowMixed === true,
    stamp: {
      createdAt: new Date().toISOString(),
      command: ['gemm-paranoia', ...process.argv.slice(2)].join(' '),
    },
  });
  const live = startLive(reporters, definedIn(findConfig(process.cwd()), []));
  const open = flags.open === true;
  return publish(results, { reporters, out, live, open, verbose: flags.verbose === true });
}
