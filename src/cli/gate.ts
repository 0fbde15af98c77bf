import { EXIT, settling } from '../base/errors.ts';
import { ensureWritable } from '../base/node/write-file.ts';
import { campaignOf, seedOf } from '../config/campaign-of.ts';
import type { Flags } from '../config/flags.ts';
import { conflictingOptions } from '../config/messages.ts';
import { requireReportable } from '../pages/node/reporters.ts';
import { formatCase } from '../problem/case.ts';
import { counted } from '../report/numbers.ts';
import { type Baselines, withMissing } from '../run/baselines.ts';
import { readBaselines, writeBaselines } from './baseline-file.ts';
import { carryOut, codeOf, type Run } from './carry-out.ts';
import { storedFolder } from './files.ts';
import { type GatePlan, planGate } from './gate-plan.ts';
import { inCi } from './in-ci.ts';
import { startLive } from './live-reports.ts';
import { noUpdateInCi, noWatchInCi, vainOption } from './messages.ts';
import { namesCases } from './named-cases.ts';
import { publish } from './publish.ts';
import { say } from './say.ts';
import { unfinished } from './unfinished.ts';

/** @returns the exit code of the verdict. */
export async function runGate(flags: Flags): Promise<number> {
  if (flags.json !== undefined && flags.list !== true) {
    throw vainOption({ option: '--json', without: '--list' });
  }
  if (flags.watch === true) {
    if (flags.resume !== undefined) throw conflictingOptions({ one: '--watch', other: '--resume' });
    if (inCi()) throw noWatchInCi();
    const { runWatch } = await import('./watch-gate.ts');
    return runWatch(flags);
  }
  if (flags.update === true && inCi()) throw noUpdateInCi();
  if (flags.update === true && flags.shard !== undefined) {
    throw conflictingOptions({ one: '--update', other: '--shard' });
  }
  if (flags.update === true && flags.fault !== undefined) {
    throw conflictingOptions({ one: '--update', other: '--fault' });
  }
  const wrong: Error[] = [];
  const plan = await planGate(flags, (error) => wrong.push(error));
  const code = plan === undefined ? EXIT.pass : await judgePlan(withLacks(plan, wrong), flags);
  for (const { message } of wrong) say(message);
  return wrong.length > 0 ? EXIT.usage : code;
}

/** A plan that is no pass, since kernels of its config have a wrong option. */
const withLacks = (plan: GatePlan, wrong: readonly Error[]): GatePlan => ({
  ...plan,
  thin: [...plan.thin, ...wrong.map(({ message }) => message)],
});

/** Carries out a plan, or lists it. @returns the exit code. */
async function judgePlan(plan: GatePlan, flags: Flags): Promise<number> {
  const { options } = plan;
  const { reporters: known } = plan.catalogue;
  if (flags.list === true) {
    const { listCases } = await import('./list-cases.ts');
    return listCases(plan, flags.json === true);
  }
  if (flags.open === true && !options.reporters.includes('html')) {
    throw vainOption({ option: '--open', without: 'html among --reporter' });
  }
  const folder = storedFolder('baselines', options.baselines, flags.update === true);
  requireReportable(options.reporters, options.out, known);
  if (flags.update === true) ensureWritable(folder);
  const keeper =
    flags.resume === undefined ? undefined : await (await import('./resume.ts')).keeperOf(plan, flags);
  const live = startLive(options.reporters, plan.definedAt, known);
  const where = { ...options, known, live, verbose: flags.verbose === true };
  const sofar = unfinished(seedOf(campaignOf(options)), where);
  let run: Run | undefined;
  let isTold = false;
  try {
    run = await carryOut(plan, flags, { ...live, sofar, keeper }, (id) => readBaselines(folder, id));
    const { results, baselines } = run;
    const drawn = new Set(plan.asked.filter((value) => value.drawn === true).map(formatCase));
    const fixed = results.cases.filter((result) => !drawn.has(result.case));
    const { updated, added } = withMissing(baselines, fixed);
    const unkept = flags.update === true ? await settling(writeBaselines(folder, updated)) : undefined;
    isTold = true;
    const lost = unkept ?? keeper?.lost();
    const code = await publish(results, { ...where, open: flags.open === true, lost });
    process.stderr.write(run.timing);
    if (isRecordable(flags) && results.verdict === 'pass') process.stderr.write(withoutDrift(baselines));
    if (flags.update === true && unkept === undefined)
      say(`${counted(added, 'baseline')} added for ${updated.adapter}.`);
    return codeOf(run, code);
  } catch (thrown) {
    if (isTold) throw thrown;
    return await sofar.publish(thrown);
  } finally {
    run?.release();
  }
}

/** Whether the same command with --update would record baselines. */
const isRecordable = (flags: Flags): boolean =>
  !namesCases(flags) &&
  flags.shard === undefined &&
  flags.update !== true &&
  flags.untrusted !== true &&
  !inCi();

/** Whether errors have grown cannot be told where none were recorded. */
function withoutDrift({ cases, adapter }: Baselines): string {
  if (Object.keys(cases).length > 0) return '';
  return `Drift is not judged: there are no baselines of ${adapter}; --update records them.\n`;
}
