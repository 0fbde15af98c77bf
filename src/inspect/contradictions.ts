import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry } from '../algorithms/algorithms.ts';
import { roundingsBy } from '../algorithms/coefficient.ts';
import { growthFactor } from '../algorithms/growth.ts';
import type { Registry } from '../base/registry.ts';
import { type Claims, claimedAlgorithmFor } from '../kernels/claims.ts';
import type { Kernel } from '../kernels/kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import { assumed } from '../precision/arithmetic.ts';
import { partialRoundingOf } from '../precision/claimed-rounding.ts';
import type { Precision } from '../precision/precision.ts';
import { dependsOnData, partsIn, possibleRunningSums, SMALLEST_HALF } from '../precision/sums.ts';
import type { Method } from '../problem/method.ts';
import { partialOf } from './claim.ts';
import type { Inspection, InspectionFinding } from './inspection.ts';
import { multipliedBits } from './operand-format.ts';
import { textOf } from './partial-sums.ts';
import { directedClaim, isDirected } from './sum-bits.ts';

/** The properties that a kernel promises. */
export interface KernelPromises {
  readonly algorithm: string;
  /** Levels of recursion for a shape. */
  readonly levels: (shape: Shape) => number;
  readonly precision: Precision;
  readonly claims: Claims;
  /** Algorithms that the kernel may claim, or that outputs may show. */
  readonly algorithms: Registry<Algorithm>;
  /** True if infinities and NaN must follow IEEE 754: the kernel claims it, and its arithmetic allows it. */
  readonly exceptions: boolean;
}

/**
 * Returns the promises of a kernel: its claims, or for our kernels those of a method's plan.
 * @param algorithms the known algorithms. @defaultValue the built-in ones
 */
export function promisesOf(
  kernel: Kernel,
  method: Method,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): KernelPromises {
  const { algorithm, claims, leaf, precision, arithmetic } = kernel;
  const levels = (shape: Shape) =>
    claims === undefined || leaf !== ''
      ? kernel.plan(shape, method).levels
      : claimedAlgorithmFor(claims, shape, algorithms).levels;
  // Subtracting infinite sums of zero points from infinite sums gives NaN.
  const exceptions =
    claims?.arithmetic?.zeroPoints !== 'last' &&
    (claims?.arithmetic?.exceptions ?? true) === true &&
    arithmetic.exceptions &&
    precision.a.exceptions;
  return { algorithm, levels, precision, claims: claims ?? {}, algorithms, exceptions };
}

type Rule = (inspection: Inspection, promises: KernelPromises) => (string | undefined)[];

/** Rules on single products and their sums. */
const rulesOfTerms: readonly Rule[] = [
  precisionRule,
  orderRule,
  partialRule,
  (inspection, { claims }) => [
    when(
      claims.arithmetic?.fma === 'once' && inspection.measures.fused === false,
      'It claims to add products with one rounding (fma), but it rounds them first.',
    ),
    when(
      claims.arithmetic?.fma === 'twice' && inspection.measures.fused === true,
      'It claims to round products before it adds them, but it adds them with one rounding (fma).',
    ),
  ],
];

const rules: readonly Rule[] = [
  algorithmRule,
  gradeRule,
  (inspection, { claims }) => [
    when(
      claims.arithmetic?.zeroPoints !== 'last' &&
        inspection.measures.zeroPoints === 'sums' &&
        sure(inspection, 'zero-points'),
      "It must subtract zero points from elements, but it subtracts them from sums. If that is intended, claim arithmetic: { zeroPoints: 'last' }.",
    ),
    when(
      claims.deterministic !== false && inspection.measures.deterministic === false,
      'It claims to be deterministic, but the same operands gave different bits.',
    ),
    when(
      claims.batchInvariant === true && inspection.measures.batchInvariant === false,
      'It claims to be batch invariant, but the bits of a row depend on the other rows.',
    ),
  ],
  ({ measures: { epilogues = [] } }) =>
    epilogues.map(({ claimed, isClaimed, others: [likely] }) =>
      when(!isClaimed, `It claims the epilogue ${claimed}, but ${likely ?? 'its outputs show other steps'}.`),
    ),
  ({ measures }, { exceptions }) => [
    when(
      exceptions && measures.exceptions === false && measures.algorithm === 'classical',
      measures.infinitiesBecomeNaN === true
        ? "It claims infinities and NaN as in IEEE 754, but infinities become NaN. If that is intended, claim arithmetic: { exceptions: 'nan' }."
        : 'It claims infinities and NaN as in IEEE 754, but some are lost or wrong.',
    ),
  ],
];

/**
 * Returns the claims that the findings disprove, a sentence each. Only proved or measured answers count. A property that is better than
 * claimed (wider sums, fewer levels) disproves nothing.
 */
export function contradictions(inspection: Inspection, promises: KernelPromises): string[] {
  // If C is no product of A and B, the other findings have no meaning.
  const { multiplies, wrongAt } = inspection.measures;
  if (multiplies === false) {
    const where = wrongAt === undefined ? '' : ` at ${wrongAt}`;
    const found = inspection.findings.find(({ id }) => id === 'multiplies');
    return [found?.evidence ?? `Entries of C differ from A·B for inputs of ±1${where}.`];
  }
  const own = roundsTerms(promises) ? rules : [...rulesOfTerms, ...rules];
  const disproved = own.flatMap((rule) => rule(inspection, promises));
  return [...disproved, inspection.beyondClaims].filter((one) => one !== undefined);
}

/** True if a claimed table has a factor that is no power of two. Such a factor rounds entries before they are multiplied or added. */
function roundsTerms({ algorithm, algorithms, claims, levels }: KernelPromises): boolean {
  const table = algorithms.get(algorithm);
  if (table === undefined || (typeof claims.levels === 'number' && levels(ANY) === 0)) return false;
  return [table.u, table.v, table.w].flat(2).some((x) => x !== 0 && roundingsBy(x) > 0);
}

const ANY: Shape = { m: 64, k: 64, n: 64 };

const when = (holds: boolean, sentence: string): string | undefined => (holds ? sentence : undefined);

function sure({ findings }: Inspection, id: string): boolean {
  const found: InspectionFinding | undefined = findings.find((finding) => finding.id === id);
  return found?.confidence === 'proved' || found?.confidence === 'measured';
}

function precisionRule(
  inspection: Inspection,
  { precision, claims }: KernelPromises,
): (string | undefined)[] {
  const { name: title, multiplied, accumulated, d } = precision;
  const { rounding: claimed, operands, result } = claims.arithmetic ?? {};
  // Matrix units truncate sums. Faithful rounding allows it.
  const maybeCut =
    claimed === undefined ? multiplied.precision < accumulated.precision : claimed !== 'nearest';
  const {
    operandBits = 99,
    accumulatorBits = 99,
    storedBits = 99,
    blockSumBits = 99,
    wholeSums = Number.POSITIVE_INFINITY,
    rounding,
    operandRounding,
    storedRounding,
    partialSums,
  } = inspection.measures;
  const ownBits = partialSums?.ownBits ?? accumulatorBits;
  const less = (id: string, found: number, bits: number, what: string, by = `${title} needs`) =>
    when(found < bits && sure(inspection, id), `Its ${what} ${found} significant bits, but ${by} ${bits}.`);
  const claimsBits = claims.arithmetic?.accumulator?.bits !== undefined;
  return [
    less('operand-bits', operandBits, multipliedBits(precision), 'products use operands of'),
    less('elements', operandBits, multipliedBits(precision), 'elements have'),
    less(
      'accumulator-bits',
      ownBits,
      sumBitsOf(precision, claims),
      'sums keep',
      claimsBits ? 'it claims' : undefined,
    ),
    when(
      wholeSums < sumBitsOf(precision, claims),
      `In ${title}, sums of whole numbers are exact up to 2^${sumBitsOf(precision, claims)}, but its sums are wrong beyond 2^${wholeSums}.`,
    ),
    less('block-sum-bits', blockSumBits, accumulated.precision, 'sums of blocks keep'),
    storedBits < accumulatorBits ? less('stored-bits', storedBits, d.precision, 'results have') : undefined,
    when(
      accumulatorBits === accumulated.precision &&
        isDirected(rounding) &&
        !maybeCut &&
        sure(inspection, 'accumulator-rounding'),
      `In ${title}, sums round to nearest, but its sums round ${rounding}.`,
    ),
    when(
      operandBits === multiplied.precision &&
        isDirected(operandRounding) &&
        operands?.rounding !== 'toward-zero' &&
        sure(inspection, 'operand-rounding'),
      `In ${title}, operands round to nearest, but its operands round ${operandRounding}.`,
    ),
    when(
      storedBits === d.precision &&
        d.precision < accumulated.precision &&
        isDirected(storedRounding) &&
        (result?.rounding ?? 'nearest') === 'nearest' &&
        sure(inspection, 'stored-rounding'),
      `In ${title}, results round to nearest, but its results round ${storedRounding}. If that is intended, claim arithmetic: { result: { rounding: '${directedClaim(storedRounding)}' } }.`,
    ),
  ];
}

/** Compares the sums of parts with the claimed ones: their bits, and their number. */
function partialRule(inspection: Inspection, { precision, claims }: KernelPromises): (string | undefined)[] {
  const { partialSums: found } = inspection.measures;
  if (found === undefined || !sure(inspection, 'partial-sums')) return [];
  const { bits, addedBits = bits, parts } = found;
  const least = sumBitsOf(precision, claims);
  const { partialSums: claimed } = claims;
  const { kept, added } = partialRoundingOf(claimed) ?? {};
  if (claimed === undefined) {
    const claim = partialOf(found).map(([key, text]) => `${key}: ${text}`);
    const hint =
      claim.length === 0 ? '' : ` If that is intended, claim order: 'split-k', parts: ${parts}, ${claim[0]}.`;
    return [
      when(
        Math.min(bits, addedBits) < least,
        `In ${precision.name}, sums have ${least} bits, but ${textOf(found)}.${hint}`,
      ),
    ];
  }
  const less = (what: string, found: number, expected: number) =>
    when(found < expected, `It claims partial sums of ${expected} bits, but ${what} keep ${found}.`);
  return [
    less('sums of parts', bits, Math.min(least, kept?.precision ?? least)),
    less('their sums', found.addedBits ?? least, Math.min(least, added?.precision ?? least)),
    when(
      claims.parts !== undefined && parts > claims.parts,
      `It claims at most ${claims.parts} parts of k, but has ${parts}.`,
    ),
  ];
}

/** Returns the significant bits of sums: as claimed, or those of any documented unit that the kernel may use. */
function sumBitsOf(precision: Precision, { arithmetic = {} }: Claims): number {
  const { accumulated } = precision;
  const running = possibleRunningSums(precision, assumed, arithmetic).map(
    ({ bits }) => bits ?? accumulated.precision,
  );
  const { bits, terms = 1 } = arithmetic.accumulator ?? {};
  // Sums leave an adder of several terms in the format of sums, which may have fewer bits than its window.
  if (bits !== undefined) return terms > 1 ? Math.min(bits, accumulated.precision) : bits;
  return Math.min(accumulated.precision, ...running);
}

/** Returns the factor by which a method multiplies the error bound of a classical product. */
function growth(name: string, levels: number, { algorithms }: KernelPromises): number {
  const table = algorithms.get(name);
  return table === undefined || name === 'classical' ? 1 : growthFactor(table) ** levels;
}

function algorithmRule(inspection: Inspection, promises: KernelPromises): (string | undefined)[] {
  const { algorithm, levels } = promises;
  const { levelsBySize = [] } = inspection.measures;
  if (!sure(inspection, 'algorithm')) return [];
  const worse = levelsBySize.filter((found) => {
    const claimed = levels({ m: found.n, k: found.n, n: found.n });
    const none = algorithm === 'classical' || claimed === 0;
    if (found.algorithm === 'mixed-up') return true;
    if (found.algorithm === 'strassen-like' || found.algorithm === 'fixed-point') return none;
    return growth(found.algorithm, found.levels ?? 0, promises) > growth(algorithm, claimed, promises);
  });
  const [first] = worse;
  if (first === undefined) return [];
  if (first.algorithm === 'mixed-up') {
    return [
      `In an inspected ${first.n}×${first.n}×${first.n} product, entry (i, j) of C depends on entries outside row i of A and column j of B.`,
    ];
  }
  const claimed = levels({ m: first.n, k: first.n, n: first.n });
  const what = algorithm === 'classical' ? 'classical' : `${algorithm} with ${counted(claimed)}`;
  const is =
    first.levels === undefined
      ? `of another kind (${first.algorithm})`
      : `${first.algorithm} with ${counted(first.levels)}`;
  return [`It claims to be ${what}, but at n = ${first.n} it is ${is}.`];
}

/** A classical product in floating point has small errors entry by entry. */
function gradeRule(inspection: Inspection, { algorithm, claims }: KernelPromises): (string | undefined)[] {
  const { grade, algorithm: found } = inspection.measures;
  // Zero points are larger than the differences that remain of elements.
  if (claims.arithmetic?.zeroPoints === 'last') return [];
  const wrong = algorithm === 'classical' && found === 'classical' && grade !== undefined && grade !== 'A';
  return [
    when(
      wrong && sure(inspection, 'grade'),
      `It claims to be classical, whose errors are small entry by entry (grade A), but they are of grade ${grade}.`,
    ),
  ];
}

const counted = (levels: number) => `${levels} ${levels === 1 ? 'level' : 'levels'}`;

/** For each order found, the other orders that also describe it. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'split-k': ['blocked'],
  blocked: ['split-k'],
  interleaved: ['blocked', 'split-k'],
  fused: ['blocked'],
  exact: ['sequential', 'blocked', 'pairwise', 'split-k'],
};

/** True if a claim of blocks, halves, or parts with a least size allows k terms to be added one after the other. */
function isOneBlock(k: number, { order, partition, parts, cut }: Claims): boolean {
  if (order === 'blocked') return k <= (partition ?? Number.POSITIVE_INFINITY);
  if (order === 'pairwise') return k <= (partition ?? SMALLEST_HALF);
  const areTold = partition !== undefined || cut !== undefined;
  return order === 'split-k' && areTold && partsIn(k, { partition, parts, cut }).count === 1;
}

/** True if any number of parts up to the claimed one is allowed: one part has the order of its terms, which no claim states. */
const mayBeOnePart = ({ partition, parts, cut, partialSums }: Claims): boolean =>
  partialSums !== undefined && parts !== undefined && partition === undefined && cut === undefined;

function orderRule(inspection: Inspection, { claims }: KernelPromises): (string | undefined)[] {
  const { order = 'any' } = claims;
  const { order: found, orders = [], termsApart } = inspection.measures;
  // The order of terms within blocks is unknown.
  if (termsApart !== undefined || mayBeOnePart(claims)) return [];
  if (order === 'any' || dependsOnData(order) || found === undefined || !sure(inspection, 'order')) return [];
  const longest = Math.max(...orders.map(({ k }) => k));
  const inOneBlock = found === 'sequential' && isOneBlock(longest, claims);
  const inPairs = order === 'pairwise' && orders.some(({ words }) => words.includes('in pairs'));
  const fits = found === order || ALSO[found]?.includes(order) === true || inPairs || inOneBlock;
  const last = orders[orders.length - 1];
  const named = found === 'other' ? 'in an unknown order' : `${found} (${last.words})`;
  return [when(!fits, `It claims to add up ${order}, but adds up ${named}.`)];
}
