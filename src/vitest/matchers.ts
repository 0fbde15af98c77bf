import { ParanoiaError } from '../base/errors.ts';
import { unknownName } from '../base/messages.ts';
import type { JudgeConfig } from '../config/node/judge-kernels.ts';
import { type Grade, grades, reachesGrade } from '../evidence/grade.ts';
import { builtinItems, type JudgingItems } from '../evidence/items.ts';
import { judgeProduct, type ProductOptions } from '../evidence/judge-product.ts';
import { checkKernel } from '../kernels/check-kernel.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { CodedMatrix } from '../matrix/operands.ts';
import { badKernel } from '../precision/messages.ts';
import { parseCase } from '../problem/case.ts';
import { badCase } from '../problem/messages.ts';
import type { RunOutcome } from '../run/judge.ts';
import {
  commandOf,
  gateMessage,
  gradeMessage,
  type MatcherResult,
  type MatcherState,
  productMessage,
  replayOfTest,
  undecided,
} from './message.ts';
import type { GradedKernels, GradeOptions } from './node/grade-kernels.ts';
import { asMatrix, asOperand, type MatrixLike } from './operand.ts';

/**
 * Implements `expect(c).toBeProductOf(a, b, options)`. It passes if C is the product of A and B within the error bound of the
 * claimed algorithm. A bound that proves nothing, or a value that is no matrix, fails the assertion, and fails it under `not` as
 * well.
 */
export function toBeProductOf(
  this: MatcherState,
  received: unknown,
  a: MatrixLike | CodedMatrix,
  b: MatrixLike | CodedMatrix,
  options: ProductOptions = {},
): MatcherResult {
  try {
    const c = asMatrix('C', received, options);
    const [left, right] = [asOperand('A', a, options), asOperand('B', b, options)];
    const before = options.before && asMatrix('before', options.before, options);
    const judged = judgeProduct(c, left, right, { ...options, before });
    const message = () => productMessage(judged, replayOfTest(this));
    if (judged.verdict === 'inconclusive') return undecided(this, message);
    return { pass: judged.verdict === 'pass', message };
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    return undecided(this, () => error.message);
  }
}

/** Options of `toPassGate`: those of a config, except its kernels and the files that it reads and writes. */
export interface GateMatcherOptions
  extends Omit<JudgeConfig, 'kernels' | 'baselines' | 'reporters' | 'out' | 'timeLimit'> {}

/**
 * Implements `await expect(kernel).toPassGate(options)`. It passes if a kernel, defined by `defineKernel` or named, passes the
 * gate: every case and, unless cases are named, an inspection of its claims. It runs in the test's process, so a function that
 * never returns hangs the tests. The default campaign takes longer than Vitest's 5 s: raise the test's timeout, or choose
 * `inputs` and `sizes`. Drift is not judged, since no baselines are read.
 *
 * An inconclusive run fails the assertion, and fails it under `not` as well.
 */
export async function toPassGate(
  this: MatcherState,
  received: unknown,
  options: GateMatcherOptions = {},
): Promise<MatcherResult> {
  const { judgeKernels } = await import('../config/node/judge-kernels.ts');
  const { readNodeItems } = await import('../config/node/read-node-items.ts');
  let judged: RunOutcome;
  try {
    const kernel = kernelIn(received, (await readNodeItems(options, 'The config')).items);
    for (const text of [options.case ?? []].flat())
      requireOwn(text, typeof kernel === 'string' ? kernel : kernel.name);
    judged = await judgeKernels({ ...options, kernels: [kernel] });
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    return undecided(this, () => error.message);
  }
  const message = () => gateMessage(judged, this.isNot === true, commandOf(this));
  if (judged.verdict === 'inconclusive') return undecided(this, message);
  return { pass: judged.verdict === 'pass', message };
}

/**
 * Checks a kernel given to `expect`: a name, or the result of `defineKernel`.
 * @param items items that it may name. @defaultValue the built-in ones
 * @throws ParanoiaError `bad-kernel`
 */
function kernelIn(received: unknown, items: JudgingItems = builtinItems): string | UserKernel {
  if (typeof received === 'function') {
    throw badKernel({
      kernel: 'given',
      why: 'it is a function. Give defineKernel({ name, multiply })',
    });
  }
  return typeof received === 'string' ? received : checkKernel(received, items);
}

/** Refuses cases of other kernels: cases are copied from messages, which may be about another kernel. */
function requireOwn(text: string, name: string): void {
  const { kernel } = parseCase(text);
  const isOwn =
    kernel === name || kernel.startsWith(`${name}:`) || (name.startsWith(':') && kernel.endsWith(name));
  if (!isOwn) throw badCase({ given: text, why: `it is a case of ${kernel}, not of ${name}` });
}

/**
 * Implements `await expect(kernel).toBeGrade('A')`. It passes if the errors of a kernel meet the bound of grade A, B or C, or a
 * better one. Grade A bounds them entry by entry, as for every classical product. B bounds them by row of A and column of B, as
 * for fixed point with an exponent a row. C bounds them by the largest entries of A and B, as for fast algorithms. A grade holds
 * for the tried sizes: if an implementation recurses only from a larger size on, `sizes` must go beyond it.
 */
export async function toBeGrade(
  this: MatcherState,
  received: unknown,
  wanted: Grade,
  options: GradeOptions = {},
): Promise<MatcherResult> {
  const { gradeKernels } = await import('./node/grade-kernels.ts');
  let graded: GradedKernels;
  try {
    if (!grades.includes(wanted)) {
      throw unknownName({ what: 'grade', given: String(wanted), known: grades });
    }
    graded = await gradeKernels(kernelIn(received), options);
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    return undecided(this, () => error.message);
  }
  return {
    pass: reachesGrade(graded.grade, wanted),
    message: () => gradeMessage(graded, wanted, commandOf(this)),
  };
}
