import { findAlgorithm } from '../algorithms/algorithms.ts';
import { sharedGrowth } from '../algorithms/shared-growth.ts';
import { Memo } from '../base/memo.ts';
import { inputOf } from '../inputs/edits/edited-family.ts';
import { findInput } from '../inputs/inputs.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { kernelRefuses } from '../kernels/messages.ts';
import type { OperandLayout } from '../matrix/operand-layout.ts';
import type { Plan } from '../plan/plan.ts';
import { type Case, changed, formatCase, operandsOf } from '../problem/case.ts';
import { formatStorage } from '../problem/problem.ts';
import { requireServed } from '../problem/served.ts';
import type { Job, Operands } from './evidence.ts';

/** Plans that are kept: those of the cases that are prepared while others run. */
const plans = new Memo<Plan>(24);
const numbers = new WeakMap<Kernel, number>();
let kernels = 0;

/**
 * The plan of a case, the same object each time it is asked for while the case is prepared, run and judged.
 * @throws ParanoiaError `bad-case`
 */
export function planOf(value: Case, kernel: Kernel): Plan {
  requireServed(value);
  const { method, problem } = value;
  const { m, k, n } = problem;
  const number = numbers.get(kernel) ?? kernels++;
  numbers.set(kernel, number);
  const key = [number, m, k, n, method.levels, method.fringe, method.tail].join();
  return plans.get(key, () => kernel.plan({ m, k, n }, method));
}

/**
 * Makes the job of a case: its operands, its plan, its layout. The same case gives the same bits.
 * @param operands takes or finds them: cases of one {@link operandsKey} share them.
 * @throws ParanoiaError `unknown-name`, `bad-number`, `input-refused`; `kernel-refuses` where the kernel takes no other
 *   layout than the plain one.
 */
export function prepare(
  value: Case,
  kernel: Kernel,
  operands: (make: () => Operands) => Operands = (make) => make(),
): Job {
  const [plan, layout] = [planOf(value, kernel), layoutFor(value, kernel)];
  return { case: value, kernel, plan, operands: operands(() => made(value, kernel)), layout };
}

/** What decides operands: cases of one key share them, whatever multiplies. */
export function operandsKey(value: Case, kernel: Kernel): string {
  // How large whole numbers may be depends on how often they are added up by the algorithm; nothing else does.
  if (findInput(value.problem.input).exactness !== 'integers')
    return operandsOf(changed(value, { levels: 0 }));
  return [operandsOf(value), ...Object.values(growthOf(kernel))].join();
}

const growthOf = ({ algorithm }: Kernel) => sharedGrowth(findAlgorithm(algorithm));

function made({ problem, method: { levels } }: Case, kernel: Kernel): Operands {
  const { precision } = kernel;
  const { m, k, n, seed, init } = problem;
  const family = inputOf(problem);
  return {
    ...family.generate({ m, k, n, levels, growth: growthOf(kernel), seed, init, precision }),
    family,
    seed,
  };
}

function layoutFor(
  { problem: { a, b, m, k, n } }: Case,
  { name, layouts }: Kernel,
): OperandLayout | undefined {
  const given = { transposeA: a.op === 't', transposeB: b.op === 't', pad: a.pad };
  if (!given.transposeA && !given.transposeB && given.pad === 0) return undefined;
  if (layouts === true || (layouts === 'dense' && given.pad === 0)) return given;
  const apart = layouts === 'dense' ? 'not apart' : 'neither transposed nor apart';
  const why = `it takes rows of A and B one after the other only, ${apart}`;
  const laid = `laid out as ${formatStorage(a)} and ${formatStorage(b)}`;
  throw kernelRefuses({ kernel: name, shape: `${m}×${k}×${n} ${laid}`, why });
}

/** One case in so many is multiplied twice: what it costs in time is a share of the time on the device alone. */
const EVERY = 4;

/**
 * Whether a case is multiplied twice: one in four is, chosen by its text, so that it is the same ones in every run and
 * in a replay. A planted fault makes no difference, and kernels that do not claim to be deterministic are not asked.
 */
export function isRepeated({ fault: _, ...value }: Case, { claims }: Pick<Kernel, 'claims'>): boolean {
  return claims?.deterministic !== false && hash(formatCase(value)) % EVERY === 0;
}

/** FNV-1a (Fowler, Noll, Vo), 32 bits, its well-mixed upper half. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return state >>> 16;
}
