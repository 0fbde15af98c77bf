import { findAlgorithm } from '../algorithms/algorithms.ts';
import { ParanoiaError, settling } from '../base/errors.ts';
import { fromReal } from '../base/real.ts';
import type { Evaluator } from '../evidence/evaluate.ts';
import { numbers } from '../evidence/numbers.ts';
import { allBuiltinNames, builtinPlan, parseKernelName } from '../kernels/builtin-plan.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { mirrorKernel } from '../kernels/mirror-kernel.ts';
import { assumed } from '../precision/arithmetic.ts';
import type { Computation } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { type Case, parseCase } from '../problem/case.ts';
import { isSameNumber } from './agreement.ts';
import type { CaseRow, Statement } from './entry.ts';
import { recordedComputation } from './recorded-arithmetic.ts';
import { few } from './rows.ts';

/** What came of computing a case again on this processor. */
export interface Recomputed {
  /**
   * `mirror`: the very steps of a kernel of ours in the arithmetic that was measured, bit for bit, and their bound; `exact`: the exact product, of which the
   * least error follows that any result in the format of C has.
   */
  readonly by: 'mirror' | 'exact';
  /** What is otherwise than it is told, as a clause; undefined where nothing is. */
  readonly differs?: string;
}

/**
 * Computes a case of an entry again, without its device.
 * @returns undefined where nothing of it can be: it gave no product, its precision is not known here, or complex and its kernel not ours, or only a sample was compared.
 */
export async function recompute(
  row: CaseRow,
  about: Pick<Statement, 'arithmetic' | 'adapter'>,
  evaluator: Evaluator,
): Promise<Recomputed | undefined> {
  if (row.max === undefined || row.mean === undefined || (row.checked ?? 1) < 1) return undefined;
  const value = parseCase(row.case);
  const precision = precisions.items.find(({ name }) => name === value.problem.precision);
  if (precision === undefined) return undefined;
  const isOurs = allBuiltinNames.includes(value.kernel);
  if (isOurs && row.mirror === true) {
    const computation = await recordedComputation(about, precision);
    if (computation !== undefined) return byMirror(row, value, computation, evaluator);
  }
  // How complex entries lie is not known of kernels of others.
  if (precision.complex === true) return undefined;
  const algorithm = isOurs ? parseKernelName(value.kernel).algorithm : 'classical';
  return byExact(row, value, mirrorKernel(algorithm, { precision, arithmetic: assumed }), evaluator);
}

/**
 * A kernel of ours by its steps alone.
 * @param padded the leaf kernel to whose tile blocks are padded; else the family's own choice.
 */
function stepsOf(name: string, padded: string | undefined, computation: Computation): Kernel {
  const { algorithm, leaf } = parseKernelName(name);
  const told = `${algorithm}:${padded ?? leaf}`;
  const planned = allBuiltinNames.includes(told) ? told : name;
  return {
    ...mirrorKernel(findAlgorithm(algorithm).name, computation),
    ...{ name, leaf },
    plan: (shape, method, scaling) => builtinPlan(planned, shape, method, undefined, scaling),
  };
}

async function byMirror(
  row: CaseRow,
  value: Case,
  computation: Computation,
  evaluator: Evaluator,
): Promise<Recomputed | undefined> {
  const kernel = stepsOf(value.kernel, row.leaf, computation);
  const found = await settling((async () => evaluator.evaluate(evaluator.prepare(value, kernel)))());
  if (found instanceof ParanoiaError) return undefined;
  const { exact, runningBound } = numbers.ask(found);
  if (exact === undefined) return undefined;
  const again: Partial<CaseRow> = {
    ...{ max: exact.maxError, mean: exact.meanError, unequal: exact.unequal },
    ...few('used', runningBound?.used),
  };
  const told = ERRORS.filter((key) => key !== 'used' || isTileTold(row, value, kernel));
  const differing = told.find((key) => !isSameNumber(row[key], again[key]));
  if (differing === undefined) return { by: 'mirror' };
  return {
    by: 'mirror',
    differs: `its ${WORDS[differing]} is told to be ${row[differing]}, and those steps give ${again[differing]}`,
  };
}

const ERRORS = ['max', 'mean', 'unequal', 'used'] as const;

/** A tile is chosen for the levels that are asked for, the leaf that runs for those that the shape allows; its bound counts what pads blocks. */
function isTileTold({ leaf }: CaseRow, { problem, method }: Case, kernel: Kernel): boolean {
  return leaf === undefined || kernel.plan(problem, method).levels === method.levels;
}

const WORDS = {
  max: 'largest error',
  mean: 'mean error',
  unequal: 'number of entries that differ',
  used: 'part of its bound',
} as const;

/** Room for the rounding of sums of errors. */
const SLACK = 1 + 2 ** -40;

/** No result errs less than the numbers of its format that are nearest to the exact product. */
async function byExact(
  row: CaseRow,
  value: Case,
  kernel: Kernel,
  evaluator: Evaluator,
): Promise<Recomputed | undefined> {
  const found = await settling((async () => evaluator.reference(evaluator.prepare(value, kernel)))());
  if (found instanceof ParanoiaError) return undefined;
  const { round, maxFinite } = kernel.precision.d;
  let [most, sum] = [0, 0];
  for (const [at, exact] of found.value.entries()) {
    // What has no number near it may be an infinity, without an error.
    if (!(Math.abs(exact) <= maxFinite)) continue;
    const least = Math.abs(round(exact) - exact - found.low[at]);
    most = Math.max(most, least);
    sum += least;
  }
  const mean = found.value.length === 0 ? 0 : sum / found.value.length;
  const { name } = kernel.precision.d;
  const [max, told] = [fromReal(row.max ?? 0), fromReal(row.mean ?? 0)];
  if (max * SLACK < most)
    return {
      by: 'exact',
      differs: `its largest error is told to be ${max}, and no result in ${name} errs by less than ${most}`,
    };
  if (told * SLACK < mean)
    return {
      by: 'exact',
      differs: `its mean error is told to be ${told}, and no result in ${name} errs by less than ${mean}`,
    };
  return { by: 'exact' };
}
