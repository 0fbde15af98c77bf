import { levelsWithin } from '../algorithms/algorithm.ts';
import { algorithms, findAlgorithm } from '../algorithms/algorithms.ts';
import type { Claims } from '../kernels/claims.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import type { Kernel } from '../kernels/kernel.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { claimedIn, type Precision } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { claimedFringes } from '../readers/partition.ts';
import { orientedTable, type Recursion } from '../readers/recursion.ts';
import type { KernelChoice } from '../run/kernel-of.ts';
import { CODED, honestCodes } from './honest-codes.ts';
import { type Recursed, recursed } from './honest-recursion.ts';
import { reversed, sumsIn } from './honest-sums.ts';
import { EVERY, honestWays } from './honest-ways.ts';

/** A kernel of this processor that is what it claims to be. */
export interface HonestKernel {
  readonly name: string;
  readonly claims: Claims;
  readonly precisions: readonly string[];
  /** What it multiplies numbers by, or elements and factors. */
  readonly how: (precision: Precision) => Recursed | FunctionKernel['multiply'];
}

const classical = findAlgorithm('classical');

/** Products in one piece, by every way to add them up; what is usual, once more with nothing claimed. */
const plain: readonly HonestKernel[] = honestWays.flatMap((way) => {
  const make = (suffix: string, claims: Claims): HonestKernel => ({
    name: `sum-${way.name}${suffix}`,
    claims,
    precisions: way.precisions,
    how: ({ accumulated, multiplied, a }) => {
      const sum = way.sumIn(accumulated);
      const operand = multiplied === a ? same : multiplied.round;
      return { table: classical, levels: 0, fringe: 'static-pad', leaf: sum, blocks: sum, operand };
    },
  });
  return [make('', way.claims), ...(way.isUsual ? [make('-unclaimed', {})] : [])];
});

const same = (x: number) => x;

/** How a table may be read. */
const readings: Readonly<Record<string, Omit<Recursion, 'fringe'>>> = {
  plain: {},
  transposed: { transposed: true },
  turned: { turned: 1 },
  'turned-twice': { turned: 2 },
  swapped: { reversed: ['rows', 'inner'] },
};

/** Three levels of Strassen's are 343 products. */
const MOST_PRODUCTS = 350;

/** Tables as they are recursed on, with that claimed, and with nothing but their name. */
const fast: readonly HonestKernel[] = algorithms.flatMap((algorithm) => {
  const { base, name } = algorithm;
  if (algorithm === classical) return [];
  const isCube = base.m === base.k && base.k === base.n;
  const read = Object.entries(readings).filter(([reading]) => isCube || reading === 'plain');
  const most = levelsWithin(algorithm, MOST_PRODUCTS);
  return Array.from({ length: most }, (_, at) => at + 1).flatMap((levels) =>
    claimedFringes.flatMap((fringe) =>
      read.flatMap(([reading, orientation]) => {
        const recursion = { fringe, ...orientation };
        const table = orientedTable(algorithm, recursion);
        const make = (suffix: string, claims: Claims): HonestKernel => ({
          name: `${name}-${levels}-${fringe}-${reading}${suffix}`,
          claims: { algorithm: name, levels, ...claims },
          precisions: EVERY,
          how: ({ accumulated, multiplied, a }) => {
            const { sequential, pairwise } = sumsIn(accumulated);
            const blocks = [sequential, reversed(sequential), pairwise(1)][levels % 3];
            const operand = multiplied === a ? same : multiplied.round;
            return { table, levels, fringe, leaf: sequential, blocks, operand };
          },
        });
        return [make('', { recursion }), make('-unclaimed', {})];
      }),
    ),
  );
});

/** Products of elements and factors of blocks; they claim nothing. */
const codes: readonly HonestKernel[] = honestCodes.map(({ name, multiply }) => ({
  ...{ name, claims: {}, precisions: CODED },
  how: multiply,
}));

/** Kernels without a fault, each truly claimed. */
export const honestKernels = { plain, fast, codes } as const;

/** All of them. */
export const allHonest: readonly HonestKernel[] = Object.values(honestKernels).flat();

/** The honest kernel of a name in a precision, opened in this process; undefined where none of these is called so. */
export function honestKernel({ kernel: name, precision = 'f32' }: KernelChoice): Kernel | undefined {
  const found = allHonest.find((one) => one.name === name && one.precisions.includes(precision));
  return found && opened(found, precisions.find(precision));
}

function opened({ name, claims, how }: HonestKernel, precision: Precision): Kernel {
  return functionKernel({ name, claims, precision }, how(precision));
}

type About = { readonly name: string; readonly claims: Claims; readonly precision: Precision };

/** A kernel of this process that multiplies or recurses so, and claims so. */
export function functionKernel(
  { name, claims, precision }: About,
  how: Recursed | FunctionKernel['multiply'],
): Kernel {
  const spec = { name, precision: precision.name, multiply: multiplyOf(how, precision), claims };
  return externalKernel(spec, openFunctionKernel(spec), claimedIn(precision, claims));
}

function multiplyOf(
  how: Recursed | FunctionKernel['multiply'],
  precision: Precision,
): FunctionKernel['multiply'] {
  if (typeof how === 'function') return how;
  const Entries = precision.d.bytes > 4 ? Float64Array : Float32Array;
  const block = (data: ArrayLike<number>, rows: number, cols: number) => ({
    ...{ rows, cols },
    data: Float64Array.from(data),
  });
  return (a, b, { m, k, n }) => Entries.from(recursed(block(a, m, k), block(b, k, n), how).data);
}
