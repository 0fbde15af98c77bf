import { errorMap } from '../accuracy/error-map.ts';
import { histogram } from '../accuracy/histogram.ts';
import { quadrantPath } from '../accuracy/quadrant-path.ts';
import type { ErrorMeasures } from '../accuracy/tally.ts';
import type { Machine } from '../gpu/device.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Real } from '../matrix/dense.ts';
import type { Plan } from '../plan/plan.ts';
import { EXIT, Problem } from '../problems.ts';
import { aPriori, isVacuous } from '../readers/a-priori.ts';
import { operandErrorOf, unitRoundoffOf } from '../readers/device-errors.ts';
import { type Case, formatCase } from './case.ts';
import type { Context } from './checks/check.ts';
import { checks } from './checks/checks.ts';
import { boundUse } from './checks/running-bound.ts';
import { sigmas } from './checks/sigma.ts';
import type { Evidence, Laboratory } from './evidence.ts';
import { planOf } from './plan-of.ts';
import { type CaseResult, type CheckResult, toReal, type Verdict } from './results.ts';

/** Problems of a kernel that are its own fault (a result of the wrong size among them); others say nothing about it. */
const KERNEL_FAULTS = [
  'bad-shader',
  'gpu-error',
  'shapes-differ',
  'kernel-threw',
  'kernel-answer',
  'kernel-hangs',
  'kernel-died',
];

/** What a case's result says beside what it measured. */
export interface CaseOptions {
  /** Whether the case belongs to the growth series. Default: no. */
  readonly series?: boolean;
  /** Whether it shows where the errors lie and how often they are how large. Default: no. */
  readonly detailed?: boolean;
  /** The command that runs a case alone. */
  readonly replay?: ((text: string) => string) | undefined;
}

/** The command that runs a case alone where the package is installed. */
export const replayCommand = (text: string): string => `npx gemm-paranoia gate --case '${text}'`;

/**
 * Runs one case and judges it. Problems of the input or the plan pass through as they are: the case was asked
 * for wrongly. Problems of the device become verdicts.
 * @throws Problem `unknown-name`, `bad-number`, `input-refused`, `device-lost`
 */
export async function runCase(
  value: Case,
  kernel: Kernel,
  open: Machine,
  laboratory: Pick<Laboratory, 'gather'>,
  context: Context,
  { series = false, detailed = false, replay = replayCommand }: CaseOptions = {},
): Promise<CaseResult> {
  const text = formatCase(value);
  const plan = planOf(value, kernel);
  const about = {
    case: text,
    kernel: kernel.name,
    algorithm: kernel.algorithm,
    leaf: kernel.leaf,
    ...leafKernelOf(kernel, plan),
    levels: value.levels,
    levelsUsed: plan.levels,
    border: value.border,
    edge: value.edge,
    precision: value.precision ?? 'f32',
    input: value.input,
    m: value.m,
    k: value.k,
    n: value.n,
    seed: value.seed,
    series,
    replay: replay(text),
  };
  let evidence: Evidence;
  try {
    evidence = await laboratory.gather(value, kernel, open);
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'device-lost') throw error;
    const failed = KERNEL_FAULTS.includes(error.code);
    // A kernel that is not ours may turn out unusable at any product: the others go on.
    const ours = kernel.leaf !== '';
    if (!failed && ours && error.exitCode === EXIT.usage) throw error;
    const status = failed ? ('fail' as const) : ('inconclusive' as const);
    const check = { name: 'runs', status, message: error.message };
    return { ...about, verdict: status, reason: error.message, checks: [check] };
  }
  const answers = checks.map((check) => ({ name: check.name, ...check.judge(evidence, context) }));
  return {
    ...about,
    ...verdictOf(answers),
    // A check that has nothing to say is not listed.
    checks: answers.filter(({ status }) => status !== 'not-applicable'),
    ...numbersOf(evidence),
    ...(detailed ? detailsOf(evidence) : {}),
  };
}

/** The leaf kernel that a family stands for. */
function leafKernelOf(kernel: Kernel, plan: Plan): Pick<CaseResult, 'leafKernel'> {
  const leafKernel = kernel.leafOf?.(plan);
  return leafKernel === undefined || leafKernel === kernel.leaf ? {} : { leafKernel };
}

/**
 * The verdict of a case: fail if any check fails; pass if a decisive one passes and none is inconclusive, else
 * inconclusive. A vacuous check, or one with nothing to say, never makes a pass.
 */
export function verdictOf(answers: readonly CheckResult[]): { verdict: Verdict; reason: string } {
  const first = (status: CheckResult['status']) => answers.find((answer) => answer.status === status);
  const failed = first('fail');
  if (failed !== undefined) return { verdict: 'fail', reason: failed.message };
  const undecided = first('inconclusive');
  if (undecided !== undefined) return { verdict: 'inconclusive', reason: undecided.message };
  const decisive = new Set(checks.filter((check) => check.decisive).map((check) => check.name));
  const passed = answers.find((answer) => answer.status === 'pass' && decisive.has(answer.name));
  if (passed !== undefined) return { verdict: 'pass', reason: passed.message };
  const vacuous = first('vacuous');
  return { verdict: 'inconclusive', reason: vacuous?.message ?? 'No check could judge this case.' };
}

type Numbers = Pick<
  CaseResult,
  'exact' | 'ideal' | 'sigma' | 'runningBound' | 'aPriori' | 'mirrorEqual' | 'seconds'
>;

/** The numbers of a product that a report shows, whatever the verdict. */
export function numbersOf(evidence: Evidence): Numbers {
  const { measures, plan, analysis, execution, kernel, exact, sizes } = evidence;
  const { arithmetic } = kernel;
  const use = boundUse(evidence);
  const published =
    aPriori(plan, unitRoundoffOf(arithmetic), operandErrorOf(arithmetic)?.relative).factor *
    sizes.a.maxAbs *
    sizes.b.maxAbs;
  return {
    exact: measuresOf(measures.exact, plan),
    ...(measures.ideal === undefined ? {} : { ideal: measuresOf(measures.ideal, plan) }),
    sigma: { worst: toReal(largestOf(sigmas(evidence))), largest: toReal(largestOf(analysis.sigma.data)) },
    runningBound: { largest: toReal(use.largest), used: toReal(use.used), vacuous: use.vacuous },
    aPriori: { bound: toReal(published), vacuous: isVacuous(published, rms(exact.product.data)) },
    ...(arithmetic.mirrored ? { mirrorEqual: sameBits(execution.c.data, analysis.mirror.data) } : {}),
    ...(execution.seconds === undefined ? {} : { seconds: execution.seconds }),
  };
}

/** Where the errors of a product lie, and how often they are how many sigmas. */
function detailsOf({
  execution,
  exact,
  analysis,
  plan,
}: Evidence): Pick<CaseResult, 'errorMap' | 'histogram'> {
  const errors = Float64Array.from(
    execution.c.data,
    (value, e) => value - exact.product.data[e] - exact.low[e],
  );
  const { cells, ...grid } = errorMap(errors, plan.shape.m, plan.shape.n);
  const inSigmas = errors.map((error, e) => (error === 0 ? 0 : error / analysis.sigma.data[e]));
  const shown = cells.map((error) => toReal(Number(error.toPrecision(3))));
  const { width, counts } = histogram(inSigmas);
  return { errorMap: { ...grid, cells: shown }, histogram: { width, counts: [...counts] } };
}

/** Measures as a results file holds them; the worst entry gets its quadrant of the plan. */
export function measuresOf(
  measures: ErrorMeasures,
  { shape, levels, border }: Plan,
): NonNullable<CaseResult['exact']> {
  const { worst } = measures;
  return {
    maxError: toReal(measures.max),
    meanError: toReal(measures.mean),
    normalisedMax: toReal(measures.normalisedMax),
    normalisedMean: toReal(measures.normalisedMean),
    componentwise: toReal(measures.componentwise),
    normwise: toReal(measures.normwise),
    frobenius: toReal(measures.frobenius),
    bits: toReal(measures.bits),
    unequal: measures.unequal,
    disagreements: measures.disagreements,
    ...(worst === undefined
      ? {}
      : {
          worst: {
            i: worst.i,
            j: worst.j,
            computed: toReal(worst.computed),
            expected: toReal(worst.expected),
            error: toReal(worst.error),
            quadrant: quadrantPath(worst.i, worst.j, shape.m, shape.n, levels, border),
          },
        }),
  };
}

/** Whether two results are the same bit for bit; NaNs of any payload are the same. */
export function sameBits(x: Real, y: Real): boolean {
  if (x.length !== y.length) return false;
  for (let e = 0; e < x.length; e++) if (!Object.is(x[e], y[e])) return false;
  return true;
}

function largestOf(values: Float64Array): number {
  let most = 0;
  for (let e = 0; e < values.length; e++) {
    if (values[e] > most && values[e] < Number.POSITIVE_INFINITY) most = values[e];
  }
  return most;
}

/** The root mean square: the size that a bound is vacuous beyond. */
export function rms(values: Float64Array): number {
  let sum = 0;
  for (let e = 0; e < values.length; e++) sum += values[e] * values[e];
  return Math.sqrt(sum / values.length);
}
