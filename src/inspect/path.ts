import type { Matrix, Shape } from '../matrix/dense.ts';
import type { Context, Question } from './question.ts';
import { Unasked } from './session.ts';

/** Sizes of each dimension in turn, the others being 16. */
const SIZES = [1, 2, 3, 4, 5, 8, 12, 16, 17, 24, 32, 33, 48, 64, 65, 96, 128, 256, 512];
const OTHERS = { m: 16, k: 16, n: 16 };
/** Rows and columns whose inner products are compared, where there are so many. */
const COMPARED = 8;
/** Milliseconds beyond which a dimension is not followed further. */
const PATIENCE = 3_000;

/** At which sizes the same inner products come out with other bits: there another code path begins. */
export const path: Question = {
  id: 'code-path',
  question: 'At which sizes do the bits of the same inner product change?',
  async ask(context) {
    const texts: string[] = [];
    const asked: string[] = [];
    let compared = 0;
    for (const dimension of ['m', 'k', 'n'] as const) {
      if (context.stop()) break;
      const { changes, sizes } = await follow(context, dimension);
      compared += Math.max(0, sizes.length - 1);
      asked.push(`${dimension} = ${sizes.join(', ')}`);
      if (changes.length > 0) texts.push(`${dimension} = ${listed(changes, sizes)}`);
    }
    if (context.measured.deterministic === false) {
      return [
        {
          answer: 'not known: not even the same product has the same bits twice',
          ...{ value: null, confidence: 'unknown' },
          evidence: `Asked at ${asked.join('; ')}.`,
        },
      ];
    }
    if (compared === 0) throw new Unasked('It takes fewer than two of the sizes that were tried.');
    return [
      {
        answer: texts.length === 0 ? 'at none that was asked' : `at ${texts.join('; ')}`,
        value: texts.join('; '),
        confidence: texts.length === 0 ? 'measured' : 'proved',
        evidence: `Inner products of 16 terms, the first 8 by 8 of products with ${asked.join('; ')}; the other sizes are 16, further terms 0.`,
      },
    ];
  },
};

/** The sizes at which bits change; not each of them where nearly all do. */
function listed(changes: readonly number[], sizes: readonly number[]): string {
  return 2 * changes.length > sizes.length ? `${changes[0]} and most others` : changes.join(', ');
}

async function follow({ session, random, stop }: Context, dimension: keyof Shape) {
  const draw = () => Float64Array.from({ length: COMPARED * OTHERS.k }, () => random.uniform(-1, 1));
  const [rows, cols] = [draw(), draw()];
  const [changes, sizes]: [number[], number[]] = [[], []];
  let before: Matrix | undefined;
  const start = performance.now();
  for (const size of SIZES) {
    // Fewer terms are another inner product.
    if (dimension === 'k' && size < OTHERS.k) continue;
    const shape = { ...OTHERS, [dimension]: size };
    if (stop() || performance.now() - start > PATIENCE) break;
    if (session.refuses(shape) !== undefined) continue;
    const { m, k, n } = shape;
    const entry = (from: Float64Array, line: number, p: number) => {
      if (p >= OTHERS.k) return 0;
      return line < COMPARED ? from[line * OTHERS.k + p] : random.uniform(-1, 1);
    };
    const c = await session.multiply(
      session.matrix(m, k, (i, p) => entry(rows, i, p)),
      session.matrix(k, n, (p, j) => entry(cols, j, p)),
    );
    if (before !== undefined && !agree(before, c)) changes.push(size);
    before = c;
    sizes.push(size);
  }
  return { changes, sizes };
}

/** Whether the entries that both have of the first few rows and columns are the same. */
function agree(x: Matrix, y: Matrix): boolean {
  const [rows, cols] = [Math.min(x.rows, y.rows, COMPARED), Math.min(x.cols, y.cols, COMPARED)];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++)
      if (!Object.is(x.data[i * x.cols + j], y.data[i * y.cols + j])) return false;
  }
  return true;
}
