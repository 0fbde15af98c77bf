import { countLevelsWithin } from '../../src/algorithms/algorithm.ts';
import { algorithmRegistry, algorithms, findAlgorithm } from '../../src/algorithms/algorithms.ts';
import type { Claims } from '../../src/kernels/claims.ts';
import { externalKernel } from '../../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../../src/kernels/function-kernel.ts';
import type { Kernel } from '../../src/kernels/kernel.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { findWrongClaims } from '../../src/kernels/wrong-claims.ts';
import { everything, withComplex } from '../../src/matrix/features.ts';
import { applyClaims, type Precision } from '../../src/precision/precision.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { claimedFringes } from '../../src/readers/partition.ts';
import { orientedTable, type Recursion } from '../../src/readers/recursion.ts';
import type { KernelChoice } from '../../src/run/kernel-of.ts';
import { type BlockMultiply, type ComplexBlock, multiplyInMemory, roundOf } from './product.ts';
import { type DoubleMatrix, multiplyByTable, multiplyClassically, type TableRecursion } from './recursion.ts';
import { reversed, sumsIn } from './sums.ts';
import { type HonestTrait, honestTraits, type KernelBehavior } from './traits.ts';
import { honestWays } from './ways.ts';

/** A way to sum products, in one piece or by a table, and the claims that are true of it. */
export interface HonestBase {
  readonly name: string;
  /** Claims that must be made, and those that may be omitted. */
  readonly told: Claims;
  readonly said: Claims;
  readonly isFast: boolean;
  /** True if kernels that claim nothing beyond `told` may compute this way. */
  readonly isUsual: (precision: Precision) => boolean;
  readonly fits: (precision: Precision) => boolean;
  readonly how: (precision: Precision) => Omit<TableRecursion, 'operand'>;
}

const classical = findAlgorithm('classical');
const same = (x: number) => x;

/** The format of sums, with a rounding that keeps whole numbers. */
const sumFormat = ({ accumulated }: Precision) => ({ ...accumulated, round: roundOf(accumulated) });

/** Products in one piece, by every way of summing. */
const plain: readonly HonestBase[] = honestWays.map(({ name, claims, sumIn, ...way }) => ({
  ...{ ...way, name: `sum-${name}`, told: {}, said: claims, isFast: false },
  how: (precision) => {
    const [format, sum] = [sumFormat(precision), sumIn(sumFormat(precision))];
    const leaf = (products: Float64Array) => format.round(sum(products));
    const blocks = sumsIn(format).sequential;
    return { table: classical, levels: 0, fringe: 'static-pad', leaf, blocks };
  },
}));

/** Orientations in which a table may be read. */
const readings: Readonly<Record<string, Omit<Recursion, 'fringe'>>> = {
  plain: {},
  transposed: { transposed: true },
  turned: { turned: 1 },
  'turned-twice': { turned: 2 },
  swapped: { reversed: ['rows', 'inner'] },
};

/** Three levels of Strassen's algorithm have 343 products. */
const MOST_PRODUCTS = 350;

/** Recursions by tables. */
const fast: readonly HonestBase[] = algorithms.flatMap((algorithm) => {
  const { base, name } = algorithm;
  if (algorithm === classical || algorithm.operands === 'complex') return [];
  const isCube = base.m === base.k && base.k === base.n;
  const read = Object.entries(readings).filter(([reading]) => isCube || reading === 'plain');
  const most = countLevelsWithin(algorithm, MOST_PRODUCTS);
  return Array.from({ length: most }, (_, at) => at + 1).flatMap((levels) =>
    claimedFringes.flatMap((fringe) =>
      read.map(([reading, orientation]): HonestBase => {
        const recursion = { fringe, ...orientation };
        const table = orientedTable(algorithm, recursion);
        return {
          name: `${name}-${levels}-${fringe}-${reading}`,
          told: { algorithm: name, levels },
          said: { recursion },
          isFast: true,
          isUsual: () => true,
          fits: () => true,
          how: (precision) => {
            const { sequential, pairwise } = sumsIn(sumFormat(precision));
            const blocks = [sequential, reversed(sequential), pairwise(1)][levels % 3];
            return { table, levels, fringe, leaf: sequential, blocks };
          },
        };
      }),
    ),
  );
});

/** The bases of correct kernels. */
export const honestBases = { plain, fast } as const;

/** A kernel of this processor whose claims are true. */
export interface HonestKernel {
  readonly name: string;
  readonly base: HonestBase;
  readonly traits: readonly HonestTrait[];
  readonly claims: Claims;
}

const UNCLAIMED = 'unclaimed';

/**
 * Builds the kernel of a base with traits in a precision; undefined if that combination is no correct kernel, or does not exist
 * in the precision.
 */
export function honestFrom(
  base: HonestBase,
  traits: readonly HonestTrait[],
  precision: Precision,
  isClaimed: boolean,
): HonestKernel | undefined {
  const isBare = traits.some(({ does: { entry } }) => entry !== undefined);
  const kinds = traits.map(({ kind }) => kind);
  const holds =
    base.fits(precision) &&
    traits.every(({ fits, isWhole }) => fits(precision) && !(isWhole && base.isFast)) &&
    new Set(kinds).size === kinds.length &&
    // Partial sums start from zero, and sums of elements are not the claimed sums.
    !(traits.some(({ does }) => does.betaFirst) && (isBare || kinds.includes('parts'))) &&
    !(
      traits.some(({ does }) => does.alphaFirst) &&
      (isBare || (base.isFast && precision.multiplied !== precision.a))
    ) &&
    (isClaimed ? !isBare : base.isUsual(precision));
  if (!holds) return undefined;
  const said = traits.filter(({ isTold }) => isTold || isClaimed).map(({ claims }) => claims);
  const claims = merged([base.told, ...(isClaimed ? [base.said] : []), ...said]);
  if (findWrongClaims(claims, precision, algorithmRegistry) !== undefined) return undefined;
  const name = [base.name, ...traits.map((trait) => trait.name), ...(isClaimed ? [] : [UNCLAIMED])].join('+');
  return { name, base, traits, claims };
}

const merged = (all: readonly Claims[]): Claims => {
  const arithmetic = Object.assign({}, ...all.map((one) => one.arithmetic));
  const claims: Claims = Object.assign({}, ...all);
  return Object.keys(arithmetic).length === 0 ? claims : { ...claims, arithmetic };
};

const baseOf = new Map([...plain, ...fast].map((base) => [base.name, base]));

/** The correct kernel of a name in a precision, such as `sum-blocked-8+alpha-first+unclaimed`. */
export function honestOf({ kernel, precision = 'f32' }: KernelChoice): HonestKernel | undefined {
  const [first, ...rest] = kernel.split('+');
  const base = baseOf.get(first);
  const known = precisions.items.find(({ name }) => name === precision);
  if (base === undefined || known === undefined) return undefined;
  const names = rest.filter((name) => name !== UNCLAIMED);
  const traits = names.flatMap(
    (name) => honestTraits.find((trait) => trait.name === name && trait.fits(known)) ?? [],
  );
  if (traits.length < names.length) return undefined;
  return honestFrom(base, traits, known, names.length === rest.length);
}

/** Names of correct kernels without traits, in a precision. */
export const honestNames = (precision: string): string[] =>
  [...baseOf.keys()].filter((kernel) => honestOf({ kernel, precision }) !== undefined);

/** Opens the correct kernel of a name in a precision, in this process; undefined if there is none of this name. */
export function honestKernel(choice: KernelChoice): Kernel | undefined {
  const found = honestOf(choice);
  return found && opened(found, precisions.find(choice.precision ?? 'f32'));
}

function opened({ name, base, traits, claims }: HonestKernel, precision: Precision): Kernel {
  const complex = precision.complex === true;
  const multiply = multiplyOf(base, Object.assign({}, ...traits.map(({ does }) => does)), precision);
  const spec: FunctionKernel = {
    ...{ name, precision: precision.name, multiply, claims },
    accepts: { ...withComplex(everything, complex), complexFactors: complex },
    multiplyGroup: (products) =>
      products.map(({ a, b, gemm, c, d, factors }) => multiply(a, b, gemm, c, d, factors)),
  };
  return externalKernel(spec, openFunctionKernel(spec), applyClaims(precision, claims));
}

function multiplyOf(base: HonestBase, doing: KernelBehavior, precision: Precision) {
  const { multiplied: format, a, d } = precision;
  const how = base.how(precision);
  const operand = format === a ? same : (doing.operand?.(format) ?? format.round);
  // Tables add entries before they are rounded; alpha multiplies rounded ones.
  const [first, atLast] = base.isFast ? [same, operand] : [operand, same];
  return multiplyInMemory(precision, {
    ...{ alphaFirst: doing.alphaFirst, betaFirst: doing.betaFirst, operand: first },
    core: coreOf({ ...how, operand: atLast }, doing, precision),
    result: doing.result?.(d) ?? (precision.accumulated.unitRoundoff === 0 ? same : d.round),
    entry: doing.entry && { of: doing.entry, sum: how.leaf },
  });
}

/** The product of real matrices, or of the real matrices that stand for complex ones. */
function coreOf(
  how: TableRecursion,
  { parts }: KernelBehavior,
  { complex = false }: Precision,
): BlockMultiply {
  const isHalved = parts !== undefined;
  const made: TableRecursion = isHalved ? { ...how, table: parts, levels: 1 } : how;
  const product = (a: DoubleMatrix, b: DoubleMatrix, start?: DoubleMatrix) =>
    made.levels === 0 ? multiplyClassically(a, b, made, start) : multiplyByTable(a, b, made);
  if (!complex) return ([a], [b], start) => [product(a, b, start?.[0])];
  return (a, b, start) => {
    const whole = product(
      joined(a, isHalved, 'left'),
      joined(b, isHalved, 'right'),
      start && joined(start, isHalved, 'right'),
    );
    return apart(whole, isHalved);
  };
}

/** The real matrix that stands for a complex one; real and imaginary rows are in halves, or alternate. */
function joined([re, im = re]: ComplexBlock, isHalved: boolean, side: 'left' | 'right'): DoubleMatrix {
  const { rows, cols } = re;
  const width = side === 'left' ? 2 * cols : cols;
  const data = new Float64Array(2 * rows * width);
  const at = (index: number, part: number, count: number) =>
    isHalved ? part * count + index : 2 * index + part;
  for (let i = 0, e = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, e++) {
      const [top, bottom] = [at(i, 0, rows) * width, at(i, 1, rows) * width];
      if (side === 'right') {
        data[top + j] = re.data[e];
        data[bottom + j] = im.data[e];
      } else {
        const [first, second] = [at(j, 0, cols), at(j, 1, cols)];
        data[top + first] = re.data[e];
        data[top + second] = -im.data[e];
        data[bottom + first] = im.data[e];
        data[bottom + second] = re.data[e];
      }
    }
  return { rows: 2 * rows, cols: width, data };
}

function apart({ rows, cols, data }: DoubleMatrix, isHalved: boolean): ComplexBlock {
  const half = rows / 2;
  const part = (which: number): DoubleMatrix => ({
    ...{ rows: half, cols },
    data: Float64Array.from({ length: half * cols }, (_, e) => {
      const i = Math.floor(e / cols);
      return data[(isHalved ? which * half + i : 2 * i + which) * cols + (e % cols)];
    }),
  });
  return [part(0), part(1)];
}
