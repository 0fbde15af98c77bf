import { Memo } from '../base/memo.ts';
import { badNumber } from '../base/messages.ts';
import { NO_EPILOGUE } from '../epilogue/chain-text.ts';
import { addendFor, bitsBeside } from '../inputs/addend.ts';
import { codedPair, isChangedByCoding, stackedCodes } from '../inputs/coded.ts';
import { inputOf } from '../inputs/edits/edited-family.ts';
import type { InputFamily } from '../inputs/input.ts';
import { staysWhole } from '../inputs/integer-budget.ts';
import { inputRefused } from '../inputs/messages.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { kernelRefuses } from '../kernels/messages.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { formatFactor, imaginaryPart, mapFactor, realPart } from '../matrix/factor.ts';
import { describeGemm, type Gemm, isScaled, readsAddend, requestedGemm, sourceOf } from '../matrix/gemm.ts';
import { membersOf, stackRows } from '../matrix/members.ts';
import { GENERAL } from '../matrix/structure.ts';
import { expandOperands, fullInnerSize } from '../matrix/structured-operands.ts';
import type { Plan } from '../plan/plan.ts';
import { withWholeNumbers } from '../precision/precision.ts';
import { type Case, changeCase, formatCase, operandsText } from '../problem/case.ts';
import { judgedGemm } from '../problem/gemm-of.ts';
import { requirePossible } from '../problem/why-impossible.ts';
import { wholeBitsOf } from '../readers/convention.ts';
import { complexPair, isCentered, type OperandGenerator } from './complex-pair.ts';
import { beginsWithAddend } from './epilogue/begins-with-addend.ts';
import { epilogueNumbers } from './epilogue/numbers.ts';
import type { KnownOperands, ProductJob } from './evidence.ts';
import { listNeighbors } from './neighbors.ts';

/** Plans kept in memory: those of cases that are prepared while others run. */
const plans = new Memo<Plan>(24);
const numbers = new WeakMap<Kernel, number>();
let kernels = 0;

/** Returns a kernel's number, since two kernels of one name may have different claims. */
export function kernelNumberOf(kernel: Kernel): number {
  const number = numbers.get(kernel) ?? kernels++;
  numbers.set(kernel, number);
  return number;
}

/**
 * Returns the plan of a case; calls while the case is prepared, run and judged return the same object.
 * @throws ParanoiaError `bad-case`
 */
export function planOf(value: Case, kernel: Kernel): Plan {
  const { method } = value;
  const { m, k, n, alpha, beta } = gemmFor(value, kernel);
  const key = [
    kernelNumberOf(kernel),
    m,
    k,
    n,
    method.levels,
    method.fringe,
    method.tail,
    alpha,
    beta,
  ].join();
  return plans.get(key, () => kernel.plan({ m, k, n }, method, { alpha, beta }));
}

/**
 * Returns the product that a case requests from its kernel, with alpha and beta rounded to its precision.
 * @throws ParanoiaError `not-served`
 */
export function gemmFor(value: Case, { precision, entries = 'interleaved' }: Kernel): Gemm {
  requirePossible(value);
  const { round, name, maxFinite } = precision.factors ?? precision.accumulated;
  const { alpha, beta, ...problem } = value.problem;
  for (const [what, given] of Object.entries({ alpha, beta })) {
    if (Math.max(Math.abs(realPart(given)), Math.abs(imaginaryPart(given))) > maxFinite) {
      const need = `at most ${maxFinite}, the largest ${name}`;
      throw badNumber({ what, given: formatFactor(given), need });
    }
  }
  const rounded = { ...problem, alpha: mapFactor(alpha, round), beta: mapFactor(beta, round) };
  return judgedGemm(rounded, precision.complex === true ? entries : undefined);
}

/** Registries needed for making operands. */
type PreparingItems = Pick<CaseItems, 'inputs'>;

/**
 * Makes the job of a case: its operands, its plan, its product. The same case gives the same bits.
 * @param operands makes the operands or finds them: cases with the same {@link operandsKey} share them.
 * @throws ParanoiaError `unknown-name`, `bad-number`, `input-refused`; `kernel-refuses` where the kernel does not accept such a product.
 */
export function prepareJob(
  value: Case,
  kernel: Kernel,
  items: PreparingItems = builtinCaseItems,
  operands: (make: () => KnownOperands) => KnownOperands = (make) => make(),
): ProductJob {
  const gemm = gemmFor(value, kernel);
  requireTaken(kernel, gemm);
  const plan = planOf(value, kernel);
  const beside = besideOf(value, kernel, items);
  return {
    case: value,
    kernel,
    plan,
    gemm,
    operands: operands(() => made(value, kernel, gemm, items)),
    beside,
  };
}

/** Returns the products that are computed together with a case, without being compared. */
function besideOf(value: Case, kernel: Kernel, items: PreparingItems): ProductJob['beside'] {
  const others = listNeighbors(value, (other) => kernel.refuses?.(gemmFor(other, kernel)) === undefined);
  const jobs = (cases: readonly Case[]) => cases.map((other) => prepareJob(other, kernel, items));
  return others && { before: jobs(others.before), after: jobs(others.after) };
}

/** Returns a key of all that decides operands and their reference: cases with the same key share them, whatever kernel multiplies. */
export function operandsKey(value: Case, kernel: Kernel, items: PreparingItems = builtinCaseItems): string {
  const { a, b, c, alpha, beta, epilogue, structure } = value.problem;
  const shared = [alpha, beta].map(formatFactor);
  const same = [a, b, c].map(({ gap }) => (gap === 'listed' ? gap : gap === 'same'));
  // The size of whole numbers depends only on how often they are added up, and in how many bits.
  const isWhole = inputOf(value.problem, items.inputs).exactness === 'integers';
  const integerBits = wholeBitsOf(kernel.precision, kernel.claims ?? {});
  const own = isWhole ? [...Object.values(kernel.growth), integerBits] : [];
  // The op of a triangle decides which entries are 0.
  const ops = structure === GENERAL ? [] : [structure, a.op, b.op];
  const units = kernel.diagonal === undefined ? [] : ['scaled'];
  const after = epilogue === NO_EPILOGUE ? [] : [epilogue];
  return [
    operandsText(isWhole ? value : changeCase(value, { levels: 0 })),
    ...[...own, ...shared, ...same, ...ops, ...units, ...after],
  ].join();
}

function made(
  { problem, method: { levels } }: Case,
  kernel: Kernel,
  gemm: Gemm,
  items: PreparingItems,
): KnownOperands {
  const { seed, init } = problem;
  const { batch } = gemm;
  const requested = requestedGemm(gemm);
  const { m, n } = requested;
  const k = fullInnerSize(requested);
  const asked = { m, k, n };
  const named = inputOf(problem, items.inputs);
  const isStructured = requested.structure !== undefined;
  const family = isStructured ? structuredFamily(named) : named;
  const growth = kernel.growth;
  const { integerBits } = kernel.precision.accumulated;
  // An addend of the epilogue takes the place of C.
  const summed = beginsWithAddend(gemm) ? { ...gemm, beta: 1 } : gemm;
  const most = isScaled(summed) ? wholeBitsOf(kernel.precision, kernel.claims ?? {}) : integerBits;
  const bits = bitsBeside(summed, most);
  const exactly = withWholeNumbers(kernel.precision, bits);
  const isHeld = bits >= 1 && family.accepts({ m, k, n, levels, growth, precision: exactly }).ok;
  const isWhole = family.exactness === 'integers' && isHeld;
  const precision = isWhole ? exactly : kernel.precision;
  const generate = (own: number, sharedSeed: number) => {
    const drawn = family.generate({ ...asked, levels, growth, seed: own, sharedSeed, init, precision });
    const { ideal, ...pair } = codedPair(drawn, precision, own);
    const c = readsAddend(gemm) ? addendFor(family, asked, own, precision, isWhole ? bits : 0) : undefined;
    // The formula of a pair says nothing about the full matrices of structured ones.
    return { ...pair, c, ...(ideal === undefined || isStructured ? {} : { ideal }) };
  };
  const isShared = [gemm.a, gemm.b].some(({ stride, addresses }) => stride === 0 || addresses !== undefined);
  const drawn = Array.from({ length: Math.max(1, batch) }, (_, p) => {
    const own = (seed + p * NEXT) >>> 0;
    const generating: OperandGenerator = (part) => generate(part, isShared ? seed : own);
    const expand = (parts: ReturnType<typeof generating>[]) => expandOperands(requested, parts);
    return gemm.complex === undefined
      ? expand([generating(own)])[0]
      : complexPair(family, generating, own, expand);
  });
  const parts = shareListed(drawn, gemm);
  if (isStructured && parts.some(({ hasSpecials }) => hasSpecials)) throw specialsRefused(problem, asked);
  const [first] = parts;
  const stack = (name: 'a' | 'b' | 'c', m: number, n: number) => {
    const own = parts.slice(0, Math.min(batch, gemm[name].stride === 0 ? 1 : batch));
    const matrices = own.map((part) => part[name] as Matrix);
    return matrices.length === 1 ? matrices[0] : stackRows(matrices, { m, n });
  };
  const [a, b] = [stack('a', gemm.m, gemm.k), stack('b', gemm.k, n)];
  // Whole numbers scaled row by row take more bits where a fast algorithm adds rows, and so may those that coding changed.
  const limits = { levels, growth, precision: exactly };
  const isBeyond =
    (family.isSpread === true || isStructured || parts.some(isChangedByCoding)) &&
    [...membersOf({ a, b }, gemm)].some((pair) => !staysWhole(pair, limits));
  const staysExact = isHeld && !isBeyond && kernel.diagonal === undefined;
  const c = first.c && stack('c', gemm.m, n);
  const epilogue = epilogueNumbers({ a, b, c }, gemm, {
    ...{ seed, precision: kernel.precision, bits: isWhole ? bits : undefined },
  });
  const known = { family: judgedAs(family, gemm, first), seed, staysExact, ...(epilogue && { epilogue }) };
  if (batch === 1) return { ...first, ...known };
  return {
    ...{ a, b, c },
    ...known,
    ...(first.coded && { coded: stackedCodes(parts, { a, b }, gemm) }),
    hasSpecials: parts.some(({ hasSpecials }) => hasSpecials),
    hasSubnormals: parts.some(({ hasSubnormals }) => hasSubnormals),
  };
}

/** Gives products the operands of the first product with their addresses. */
function shareListed<T extends Pick<KnownOperands, 'a' | 'b' | 'coded'>>(parts: T[], { a, b }: Gemm): T[] {
  if (a.addresses === undefined && b.addresses === undefined) return parts;
  return parts.map((part, p) => {
    const [ofA, ofB] = [parts[sourceOf(a, p)], parts[sourceOf(b, p)]];
    const coded = part.coded && { coded: { a: ofA.coded?.a, b: ofB.coded?.b } };
    return { ...part, ...coded, a: ofA.a, b: ofB.b };
  });
}

/**
 * Returns the family by which operands are judged. For complex operands that are not centered, real parts after cancellation are no sums
 * of random terms.
 */
function judgedAs(
  family: InputFamily,
  { complex }: Gemm,
  { a, b }: Pick<KnownOperands, 'a' | 'b'>,
): InputFamily {
  if (complex === undefined) return family;
  // An imaginary alpha gives the two products of her2k opposite signs.
  const products = fullInnerSize(complex) / complex.k;
  return isCentered(a, b, products) ? family : { ...family, statistics: 'structured' };
}

/**
 * Returns the family of the full matrices of structured ones. They are no permutations any more, and where a formula made A for B, errors
 * are not random.
 */
const structuredFamily = (family: InputFamily): InputFamily => ({
  ...family,
  exactness: family.exactness === 'classical' ? 'none' : family.exactness,
  statistics: family.hasIdeal ? 'structured' : family.statistics,
});

/** Refuses entries that meet the zeros and the mirror images of a structured product. */
const specialsRefused = ({ input, structure }: Case['problem'], { m, k, n }: Shape) =>
  inputRefused({
    ...{ input, shape: `${m}×${k}×${n}` },
    reason: `its NaN and infinities have no defined product in ${structure}`,
  });

/** Difference between the seeds of consecutive products of a batch: the fraction of the golden ratio, in 32 bits. */
const NEXT = 0x9e3779b1;

function requireTaken({ name, refuses }: Kernel, gemm: Gemm): void {
  const why = refuses?.(gemm);
  if (why !== undefined) throw kernelRefuses({ kernel: name, shape: describeGemm(gemm), why });
}

/** One case in four is multiplied twice; the cost is time on the device alone. */
const EVERY = 4;

/**
 * True if a case is multiplied twice. One in four is, chosen by its text, so that every run and every replay chooses the same. A planted
 * fault makes no difference. Kernels that do not claim to be deterministic are left out, except those that round at random.
 */
export function isRepeated({ fault: _, ...value }: Case, { claims }: Pick<Kernel, 'claims'>): boolean {
  const isAsked = claims?.deterministic !== false || claims.arithmetic?.rounding === 'stochastic';
  return isAsked && hash(formatCase(value)) % EVERY === 0;
}

/** FNV-1a (Fowler, Noll, Vo), 32 bits, its well-mixed upper half. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return state >>> 16;
}
