import { catchParanoiaErrorAsync, EXIT } from '../../base/errors.ts';
import { inCi } from '../../base/node/invocation.ts';
import { say } from '../../base/node/say.ts';
import { ensureWritable } from '../../base/node/write-file.ts';
import { vainOption } from '../../options/messages.ts';
import { requireReportable } from '../../pages/node/reporters.ts';
import { formatCase } from '../../problem/case.ts';
import { formatCount } from '../../report/numbers.ts';
import { type Baselines, withMissing } from '../../run/baselines.ts';
import { readBaselines, writeBaselines } from '../../run/node/baseline-file.ts';
import { findStoredFolder } from '../../run/node/stored-folder.ts';
import { noUpdateInCi, noWatchInCi } from '../messages.ts';
import { carryOut, type FinishedRun } from './carry-out.ts';
import { namesCases } from './named-cases.ts';
import type { GateRequest } from './options.ts';
import { type GatePlan, planGate } from './plan.ts';
import { publish, startLive } from './publish.ts';
import { StartedAhead } from './start-ahead.ts';
import { collectUntilPublished } from './unfinished.ts';

/** Runs a gate. @returns the exit code of the verdict */
export async function runGateCommand(request: GateRequest): Promise<number> {
  if (request.watch === true) {
    if (inCi()) throw noWatchInCi();
    const { runWatch } = await import('./watch.ts');
    return runWatch(request);
  }
  if (request.update === true && inCi()) throw noUpdateInCi();
  const wrong: Error[] = [];
  const ahead = new StartedAhead();
  let code: number;
  try {
    const plan = await planGate(request, (error) => wrong.push(error), ahead);
    code = plan === undefined ? EXIT.pass : await judgePlan(withLacks(plan, wrong), request);
  } finally {
    ahead.end();
  }
  for (const { message } of wrong) say(message);
  return wrong.length > 0 ? EXIT.usage : code;
}

/** Marks a plan whose config has kernels with a wrong option: it cannot pass. */
const withLacks = (plan: GatePlan, wrong: readonly Error[]): GatePlan => ({
  ...plan,
  thin: [...plan.thin, ...wrong.map(({ message }) => message)],
});

/** Carries out a plan, or lists it. @returns the exit code */
async function judgePlan(plan: GatePlan, request: GateRequest): Promise<number> {
  const { options } = plan;
  if (request.list === true) {
    const { listCases } = await import('./list-cases.ts');
    return listCases(plan, request.json === true);
  }
  if (request.open === true && !options.reporters.includes('html')) {
    throw vainOption({ option: '--open', without: '--reporter html' });
  }
  const mayRecord = isRecordable(request);
  const folder = findStoredFolder('baselines', options.baselines, request.update === true);
  const { reporters: known } = plan.catalog;
  requireReportable(options.reporters, options.out, known);
  if (request.update === true) ensureWritable(folder);
  const keeper =
    request.resume === undefined ? undefined : await (await import('./resume.ts')).keeperOf(plan, request);
  const live = startLive(options.reporters, plan.definedAt, known);
  const where = { ...options, known, live, verbose: request.verbose === true };
  const sofar = collectUntilPublished(plan.seed, where);
  let run: FinishedRun | undefined;
  let isTold = false;
  try {
    run = await carryOut(plan, request, { ...live, sofar, keeper }, (id) => readBaselines(folder, id));
    const { results, baselines } = run;
    const drawn = new Set(plan.asked.filter((value) => value.drawn === true).map(formatCase));
    const fixed = results.cases.filter((result) => !drawn.has(result.case));
    const { updated, added } = withMissing(baselines, fixed);
    const unkept =
      request.update === true ? await catchParanoiaErrorAsync(writeBaselines(folder, updated)) : undefined;
    isTold = true;
    const lost = unkept ?? keeper?.lost();
    const code = await publish(results, { ...where, open: request.open === true, lost });
    process.stderr.write(run.timing);
    if (mayRecord && results.verdict === 'pass') process.stderr.write(withoutDrift(baselines));
    if (request.update === true && unkept === undefined)
      say(`${formatCount(added, 'baseline')} added for ${updated.adapter}.`);
    return run.exitCode(code);
  } catch (thrown) {
    if (isTold) throw thrown;
    return await sofar.publish(thrown);
  } finally {
    run?.release();
  }
}

/** True if the same command with --update would record baselines. */
const isRecordable = (request: GateRequest): boolean =>
  !namesCases(request) &&
  request.shard === undefined &&
  request.update !== true &&
  request.untrusted !== true &&
  !inCi();

/** The note that drift cannot be judged without baselines. */
function withoutDrift({ cases }: Baselines): string {
  if (Object.keys(cases).length > 0) return '';
  return 'No baseline is recorded for this machine, so errors were not compared with earlier ones; --update records one.\n';
}
