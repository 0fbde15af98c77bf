import { readFileSync } from 'node:fs';
import { ParanoiaError } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { sha256Sync } from '../../base/node/sha256-sync.ts';
import { VERSION } from '../../base/version.ts';
import {
  type Judgment,
  type JudgmentSubject,
  makeJudgment,
  makeJudgmentWithout,
} from '../../pages/judgment.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { requireReportable } from '../../pages/node/reporters.ts';
import { startProgress } from '../../pages/progress.ts';
import { noBaselines } from '../../run/baselines.ts';
import { runBrokenOff } from '../../run/messages.ts';
import type { Results } from '../../run/results.ts';
import { carryOut } from '../gate/carry-out.ts';
import type { GateRequest } from '../gate/options.ts';
import { type GatePlan, planGate } from '../gate/plan.ts';
import type { LiveReports } from '../gate/publish.ts';
import { makeLostOutputError } from '../gate/publish.ts';
import { collectResults, type UnfinishedResults } from '../gate/unfinished.ts';
import { markAnswered, setInterruptedJudgment } from '../no-judgment.ts';
import type { JudgeRequest } from '../options.ts';
import { printError } from '../tell.ts';

/**
 * Judges one untrusted kernel. Prints its verdict as JSON, and, on standard error, the text that `gate` prints.
 * @returns the exit code of the verdict
 */
export async function runJudge(file: string, given: JudgeRequest): Promise<number> {
  const request = { ...given, files: [file], untrusted: true } as const;
  const known: Known = { name: file };
  const judged = await judgedBy(request, known).catch((error: unknown) =>
    makeJudgmentWithout(aboutOf(known, request), printError(error), seconds()),
  );
  markAnswered();
  process.stdout.write(`${JSON.stringify(judged, undefined, 2)}\n`);
  return judged.exitCode;
}

/** The facts known about a run so far. */
interface Known {
  readonly name: string;
  plan?: GatePlan;
}

async function judgedBy(request: GateRequest, known: Known): Promise<Judgment> {
  const plan = await planGate(request);
  if (plan === undefined) throw new Error('A judge has cases to run.');
  known.plan = plan;
  const { reporters, out } = plan.options;
  if (request.out !== undefined) requireReportable(reporters, out);
  const progress: LiveReports['progress'] = (shown, usual = startProgress) =>
    usual({ ...shown, ...lookFor(shown.stream) });
  const run = await carryOut(
    plan,
    request,
    { progress, sofar: answeringSoFar({ ...known, plan }, request) },
    noBaselines,
  );
  try {
    const { results } = run;
    const written = await reported(results, request, plan).catch((error: unknown) => {
      if (error instanceof ParanoiaError) return makeLostOutputError(error, results);
      throw error;
    });
    const own = makeJudgment(results, aboutOf(known, request), seconds());
    if (written instanceof ParanoiaError) {
      say(`NOT WRITTEN: ${written.message}`);
      return { ...own, exitCode: written.exitCode, notes: [...own.notes, `NOT WRITTEN: ${written.message}`] };
    }
    for (const path of written) say(`Wrote ${path}`);
    return { ...own, exitCode: run.exitCode(own.exitCode) };
  } finally {
    run.release();
  }
}

/** Collects results for the answer of a command that is interrupted: a failure already found is a verdict. */
function answeringSoFar(known: Required<Known>, request: GateRequest): UnfinishedResults {
  const { results, counts, ...kept } = collectResults(known.plan.seed);
  setInterruptedJudgment((why = 'A signal ended the run.', code) => {
    const found = results(runBrokenOff({ ...counts(), why }).message);
    if (found === undefined) return undefined;
    return makeJudgment(
      found,
      aboutOf(known, request),
      seconds(),
      found.verdict === 'fail' ? undefined : code,
    );
  });
  return { ...kept, publish: async (thrown) => printError(thrown).exitCode };
}

/** Prints the verdict as text, and writes the requested reports. @throws ParanoiaError `report-unwritable` */
async function reported(results: Results, { out }: GateRequest, { options }: GatePlan): Promise<string[]> {
  const [{ screenReport }, { wholeReport, writeReports }] = await Promise.all([
    import('../../pages/screen.ts'),
    import('../../pages/node/write-report.ts'),
  ]);
  const whole = out === undefined ? undefined : wholeReport(options);
  process.stderr.write(screenReport(results, lookFor(process.stderr), whole));
  return out === undefined ? [] : writeReports(results, options);
}

const seconds = (): number => Number((performance.now() / 1000).toPrecision(3));

/** The judge's statements about a kernel and its sandbox. */
function aboutOf({ name, plan }: Known, request: GateRequest): JudgmentSubject {
  const [spec] = plan === undefined ? [] : plan.files.flatMap((file) => plan.catalog.external(file) ?? []);
  const { precision = request.precisions?.join() ?? 'f32', accepts } = spec ?? {};
  return {
    kernel: {
      ...{ name, ...digestOf(name), precision, algorithm: request.algorithm ?? 'classical' },
      ...(accepts === undefined || typeof accepts === 'function' ? {} : { accepts }),
    },
    containment: plan?.referee?.confinement.holds ?? {},
    versions: { 'gemm-paranoia': VERSION, node: process.versions.node },
  };
}

/** The digest that identifies the file. */
function digestOf(reference: string): { sha256?: string } {
  const at = reference.lastIndexOf('#');
  try {
    const bytes = readFileSync(at < 0 ? reference : reference.slice(0, at));
    return { sha256: sha256Sync(bytes) };
  } catch {
    return {};
  }
}
