import { factorText } from './fused.ts';
import { PRODUCT, type Step, type Term } from './plan.ts';

/** One of the basic kernels of Li, Ranka and Sahni 2011 (Figure 11), or one that peeling adds. */
export interface BasicKernel {
  readonly name: string;
  readonly meaning: string;
  /**
   * The updates that make the kernel: slots by letter, `P` for the product, in the order of the paper. A
   * multiply's operands come first in its argument list, then the slots as `args` orders them.
   */
  readonly updates: string;
  /** The order in which the paper lists the arguments that are not operands of the product. */
  readonly args: string;
}

/** The ten kernels of Figure 11, in place too, then `mulInc`, which peeling adds. */
export const basicKernels: readonly BasicKernel[] = [
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

/** A step's kernel and the names of its arguments in the paper's order; `undefined` kernel names are composites. */
export interface KernelCall {
  readonly kernel: string;
  readonly args: readonly string[];
}

/**
 * Recognises the basic kernel a step is an instance of; other steps are called `combine` or `multiply`. Fused products
 * are called by variant and batch.
 */
export function kernelCall(step: Step): KernelCall {
  const operands = step.kind === 'multiply' ? [factorText(step.x), factorText(step.y)] : [];
  if (step.kind === 'multiply' && step.primitive !== undefined) {
    const { variant, batch } = step.primitive;
    const targets = step.slots.map(({ name }) => name);
    return { kernel: `batch ${batch + 1}: var#${variant}`, args: [...operands, ...targets] };
  }
  if (step.kind === 'combine' && step.updates.every(({ terms }) => terms.length === 0)) {
    return { kernel: step.updates.length === 0 ? 'scale' : 'clear', args: [step.slots[0].name] };
  }
  const { signature, order } = canonical(step);
  const known = basicKernels.find(({ updates }) => updates === signature);
  if (known === undefined) return { kernel: step.kind, args: [...operands, ...order] };
  const letters = [...known.args].map((letter) => order[letter.charCodeAt(0) - 97]);
  return { kernel: known.name, args: [...operands, ...letters] };
}

/** The updates with slots lettered in order of first appearance (sources before target), sums in a fixed order. */
function canonical(step: Step): { signature: string; order: string[] } {
  const letters = new Map<number, string>();
  const letter = (slot: number) => {
    if (slot === PRODUCT) return 'P';
    if (!letters.has(slot)) letters.set(slot, String.fromCharCode(97 + letters.size));
    return letters.get(slot) as string;
  };
  const lines = step.updates.map(({ target, terms }) => {
    const sorted = terms.every(({ sign }) => sign > 0)
      ? [...terms].sort((s, t) => (s.slot === PRODUCT ? -1 : t.slot === PRODUCT ? 1 : 0))
      : [...terms].sort((s, t) => t.sign - s.sign);
    const text = sorted.map(
      (term: Term, i) => `${i > 0 || term.sign < 0 ? sign(term) : ''}${letter(term.slot)}`,
    );
    return `${letter(target)}=${text.join('')}`;
  });
  const order = [...letters.keys()].map((slot) => step.slots[slot].name);
  return { signature: lines.join(';'), order };
}

const sign = (term: Term) => (term.sign < 0 ? '-' : '+');
