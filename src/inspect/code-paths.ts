import { ParanoiaError } from '../base/errors.ts';
import { createRandom, type Random } from '../base/random.ts';
import { type Clock, wallClock } from '../base/time.ts';
import type { Kernel } from '../kernels/kernel.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import type { NearbySizes } from '../problem/draws.ts';
import type { InspectionQuestion } from './question.ts';
import { InspectionSession } from './session.ts';
import { SkippedQuestion } from './wrong-product.ts';

/** Sizes of each dimension in turn, while the others are 16. */
const SIZES = [
  ...[1, 2, 3, 4, 5, 8, 12, 16, 17, 24, 32, 33, 48, 64, 65, 96],
  ...[128, 256, 512, 1024, 2048, 4096],
];
const OTHERS = { m: 16, k: 16, n: 16 };
/** Largest number of rows and columns whose inner products are compared. */
export const COMPARED = 8;
/** Time after which a dimension is not followed further, in milliseconds. */
const PATIENCE = 3_000;

/** The limits of a search for paths. */
interface Following {
  readonly stop: () => boolean;
  readonly clock: Clock;
}

/** The sizes of a dimension at which the bits of the same inner products change. */
export interface BitChanges {
  /** The sizes that were tried. */
  readonly sizes: readonly number[];
  /** The subset of `sizes` whose bits differ from those of the size before. */
  readonly at: readonly number[];
}

/** Computes inner products that must not depend on the sizes: additional rows and columns are separate, additional terms are 0. */
class Asking {
  private readonly session: InspectionSession;
  private readonly random: Random;
  private readonly rows: Float64Array;
  private readonly cols: Float64Array;

  constructor(session: InspectionSession, random: Random) {
    const draw = () => Float64Array.from({ length: COMPARED * OTHERS.k }, () => random.uniform(-1, 1));
    [this.session, this.random, this.rows, this.cols] = [session, random, draw(), draw()];
  }

  takes(dimension: keyof Shape, size: number): boolean {
    // With fewer terms it is another inner product.
    if (dimension === 'k' && size < OTHERS.k) return false;
    return this.session.refuses({ ...OTHERS, [dimension]: size }) === undefined;
  }

  product(dimension: keyof Shape, size: number): Promise<Matrix> {
    const shape: Shape = { ...OTHERS, [dimension]: size };
    const { m, k, n } = shape;
    const { session, random } = this;
    const entry = (from: Float64Array, line: number, p: number) => {
      if (p >= OTHERS.k) return 0;
      return line < COMPARED ? from[line * OTHERS.k + p] : random.uniform(-1, 1);
    };
    return session.multiply(
      session.near('a', m, k, (i, p) => entry(this.rows, i, p)),
      session.near('b', k, n, (p, j) => entry(this.cols, j, p)),
    );
  }
}

/** Follows a dimension from 1 to 4096. @throws ParanoiaError of the kernel */
export async function changesIn(
  { session, random, stop, clock }: { session: InspectionSession; random: Random } & Following,
  dimension: keyof Shape,
): Promise<BitChanges> {
  const asking = new Asking(session, random);
  const [at, sizes]: [number[], number[]] = [[], []];
  let before: Matrix | undefined;
  const start = clock();
  for (const size of SIZES) {
    if (stop() || clock() - start > PATIENCE) break;
    if (!asking.takes(dimension, size)) continue;
    const c = await asking.product(dimension, size);
    if (before !== undefined && !agree(before, c)) at.push(size);
    before = c;
    sizes.push(size);
  }
  return { at, sizes };
}

/** True if nearly all sizes have different bits. Then none of them marks the end of a path. */
export const areMost = ({ at, sizes }: BitChanges): boolean => 2 * at.length > sizes.length;

/**
 * Finds the first sizes of code paths by bisection between two sizes whose bits differ. A kernel whose bits differ from one run to the next
 * has none.
 * @throws ParanoiaError of the kernel
 */
async function pathsOf(kernel: Kernel, { stop, clock }: Following): Promise<NearbySizes> {
  const method = { levels: 0, fringe: 'pad', tail: 'mask' } as const;
  const session = new InspectionSession(kernel, method, {}, stop);
  session.judges = false;
  const around: { -readonly [K in keyof NearbySizes]: NearbySizes[K] } = {};
  for (const dimension of ['m', 'k', 'n'] as const) {
    const asking = new Asking(session, createRandom(1, 1));
    const changes = await changesIn({ session, random: createRandom(1, 2), stop, clock }, dimension);
    if (areMost(changes)) continue;
    const found: number[] = [];
    for (const to of changes.at) {
      const from = changes.sizes[changes.sizes.indexOf(to) - 1];
      const before = await asking.product(dimension, from);
      if (!agree(before, await asking.product(dimension, from))) return {};
      let [low, high] = [from, to];
      while (high - low > 1 && !stop()) {
        const middle = (low + high) >> 1;
        const isSame =
          asking.takes(dimension, middle) && agree(before, await asking.product(dimension, middle));
        [low, high] = isSame ? [middle, high] : [low, middle];
      }
      found.push(high);
    }
    if (found.length > 0) around[dimension] = found;
  }
  return around;
}

/** Calls {@link pathsOf}. Returns undefined where there are no paths, or where the kernel fails: cases report that failure. */
export async function knownPaths(
  kernel: Kernel,
  {
    stop = () => false,
    clock = wallClock,
  }: { readonly [K in keyof Following]?: Following[K] | undefined } = {},
): Promise<NearbySizes | undefined> {
  try {
    const around = await pathsOf(kernel, { stop, clock });
    return Object.keys(around).length === 0 ? undefined : around;
  } catch (error) {
    if (error instanceof ParanoiaError || error instanceof SkippedQuestion) return undefined;
    throw error;
  }
}

/** Describes the paths in one sentence. */
export function describePaths(kernel: string, around: NearbySizes): string {
  const at = Object.entries(around).map(([key, sizes]) => `${key} = ${sizes.join(', ')}`);
  return `The bits of inner products of ${kernel} change at ${at.join('; ')}: the campaign has more cases near these sizes.`;
}

/** True if the entries that both matrices have in their first rows and columns are equal. */
function agree(x: Matrix, y: Matrix): boolean {
  const [rows, cols] = [Math.min(x.rows, y.rows, COMPARED), Math.min(x.cols, y.cols, COMPARED)];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++)
      if (!Object.is(x.data[i * x.cols + j], y.data[i * y.cols + j])) return false;
  }
  return true;
}

/** Search for the sizes at which the same inner products come out with different bits: there another code path begins. */
export const path: InspectionQuestion = {
  id: 'code-path',
  question: 'At which sizes do the bits of the same inner product change?',
  async ask(context) {
    const texts: string[] = [];
    const asked: string[] = [];
    let compared = 0;
    for (const dimension of ['m', 'k', 'n'] as const) {
      if (context.stop()) break;
      const changes = await changesIn(context, dimension);
      compared += Math.max(0, changes.sizes.length - 1);
      asked.push(`${dimension} = ${changes.sizes.join(', ')}`);
      if (changes.at.length > 0) texts.push(`${dimension} = ${listed(changes)}`);
    }
    if (context.measures.deterministic === false) {
      return [
        {
          answer: 'not known: not even the same product has the same bits twice',
          ...{ value: null, confidence: 'unknown' },
          evidence: `Tested at ${asked.join('; ')}.`,
        },
      ];
    }
    if (compared === 0) throw new SkippedQuestion('It accepts fewer than two of the tested sizes.');
    return [
      {
        answer: texts.length === 0 ? 'at no tested size' : `at ${texts.join('; ')}`,
        value: texts.join('; '),
        confidence: texts.length === 0 ? 'measured' : 'proved',
        evidence: `Inner products of 16 terms, the first ${COMPARED} by ${COMPARED} of products with ${asked.join('; ')}; the other sizes are 16, further terms 0.`,
      },
    ];
  },
};

/** Lists the sizes at which bits change, abbreviated where nearly all do. */
const listed = (changes: BitChanges): string =>
  areMost(changes) ? `${changes.at[0]} and most others` : changes.at.join(', ');
