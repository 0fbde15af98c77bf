import { computeOnce } from '../base/memo.ts';
import { PRODUCT, type SlotTerm, type Step } from '../plan/plan.ts';
import { nameStep, sumText } from './names.ts';

/** One of the basic kernels of Li, Ranka and Sahni 2011 (Figure 11), or one that peeling adds. */
export interface BasicKernel {
  readonly name: string;
  readonly meaning: string;
  /**
   * The updates of the kernel: slots by letter, `P` for the product, in the order of the paper. A
   * multiply's operands come first in its argument list, then the slots as `args` orders them.
   */
  readonly updates: string;
  /** The order in which the paper lists the arguments that are not operands of the product. */
  readonly args: string;
}

/** The ten kernels of Figure 11, in place too, then `mulInc`, which peeling adds. */
const basicKernels: readonly BasicKernel[] = [
  { name: 'add', meaning: 'Z = X + Y', updates: 'c=a+b', args: 'abc' },
  { name: 'add', meaning: 'X = X + Y', updates: 'a=a+b', args: 'aba' },
  { name: 'add', meaning: 'Y = X + Y', updates: 'b=a+b', args: 'abb' },
  { name: 'sub', meaning: 'Z = X - Y', updates: 'c=a-b', args: 'abc' },
  { name: 'sub', meaning: 'X = X - Y', updates: 'a=a-b', args: 'aba' },
  { name: 'sub', meaning: 'Y = X - Y', updates: 'b=a-b', args: 'abb' },
  { name: 'mul', meaning: 'Z = X*Y', updates: 'a=P', args: 'a' },
  { name: 'mulIncInc', meaning: '(Y+, Z+) = W*X', updates: 'a=P+a;b=P+b', args: 'ab' },
  { name: 'mulIncDec', meaning: '(Y+, Z-) = W*X', updates: 'a=P+a;b=b-P', args: 'ab' },
  { name: 'mulStoreDec', meaning: '(Y =, Z-) = W*X', updates: 'a=P;b=b-P', args: 'ab' },
  { name: 'mulStoreInc', meaning: '(Y =, Z+) = W*X', updates: 'a=P;b=P+b', args: 'ab' },
  { name: 'mulAdd', meaning: 'Z = W*X + Y', updates: 'b=P+a', args: 'ab' },
  {
    name: 'mulIncIncInc',
    meaning: 'W = U*V; Y += W; Z += Y; Y += X',
    updates: 'a=P;b=P+b;c=b+c;b=b+d',
    args: 'adbc',
  },
  { name: 'mulSubInc', meaning: 'Y = X - V*W; Z += X', updates: 'b=a-P;c=a+c', args: 'abc' },
  { name: 'mulInc', meaning: 'Y += W*X', updates: 'a=P+a', args: 'a' },
];

/** A step's kernel and the names of its arguments in the paper's order. Steps without a kernel in the paper are composites. */
export interface KernelCall {
  readonly kernel: string;
  readonly args: readonly string[];
}

/**
 * Recognizes the basic kernel of a step. Other steps are called `combine` or `multiply`. Fused products are called by variant and batch.
 */
export function kernelCall(step: Step): KernelCall {
  const { operands, slots } = nameStep(step);
  if (step.kind === 'multiply' && step.primitive !== undefined) {
    const { variant, batch } = step.primitive;
    return { kernel: `batch ${batch + 1}: var#${variant}`, args: [...operands, ...slots] };
  }
  if (step.kind === 'combine' && step.updates.every(({ terms }) => terms.length === 0)) {
    return { kernel: step.updates.length === 0 ? 'scale' : 'clear', args: slots };
  }
  const { known, order } = recognized(step);
  return {
    kernel: known?.name ?? step.kind,
    args: [...operands, ...order.map((slot) => slots[slot])],
  };
}

/** The kernel of updates, if any, and the slots of its arguments. */
interface Recognized {
  readonly known: BasicKernel | undefined;
  readonly order: readonly number[];
}

/** Results of recognition by updates, which calls of one level share. */
const met = new WeakMap<Step['updates'], Recognized>();

const recognized = ({ updates }: Step): Recognized =>
  computeOnce(met, updates, () => {
    const { signature, order } = canonical(updates);
    const known = basicKernels.find((kernel) => kernel.updates === signature);
    const letters = known && [...known.args].map((letter) => order[letter.charCodeAt(0) - 97]);
    return { known, order: letters ?? order };
  });

/** Returns the updates with slots lettered in order of first appearance (sources before target), sums in a fixed order. */
function canonical(updates: Step['updates']): { signature: string; order: number[] } {
  const letters = new Map<number, string>();
  const letter = (slot: number) => {
    if (slot === PRODUCT) return 'P';
    if (!letters.has(slot)) letters.set(slot, String.fromCharCode(97 + letters.size));
    return letters.get(slot) as string;
  };
  const lines = updates.map(({ target, terms }) => {
    const sorted = terms.every(({ factor }) => factor > 0)
      ? [...terms].sort((s, t) => (s.slot === PRODUCT ? -1 : t.slot === PRODUCT ? 1 : 0))
      : [...terms].sort((s, t) => t.factor - s.factor);
    const named = sorted.map(({ factor, slot }: SlotTerm) => ({ factor, name: letter(slot) }));
    return `${letter(target)}=${sumText(named).replaceAll(' ', '')}`;
  });
  return { signature: lines.join(';'), order: [...letters.keys()] };
}
