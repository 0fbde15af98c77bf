import type { Random } from '../base/random.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { isSigned, type OperandFormat } from './operand-format.ts';
import { type InspectionQuestion, makeRefutableAnswer } from './question.ts';
import { shapeText } from './wrong-product.ts';

/** The usual shape, one that no block or tile divides, and those at which kernels choose another code path. */
const SHAPES: Readonly<Record<'quick' | 'full', readonly Shape[]>> = {
  quick: [
    { m: 13, k: 19, n: 17 },
    { m: 512, k: 16, n: 16 },
    { m: 8, k: 8192, n: 4 },
  ],
  full: [
    { m: 13, k: 19, n: 17 },
    { m: 1, k: 64, n: 16 },
    { m: 33, k: 65, n: 16 },
    { m: 512, k: 16, n: 16 },
    { m: 512, k: 1000, n: 4 },
    { m: 8, k: 8192, n: 4 },
    { m: 512, k: 8192, n: 4 },
  ],
};

/** Terms beyond which sums of ±1 may exceed the 8 bits of the narrowest sums. In longer sums the other terms are 0. */
const DENSE = 128;

/** Tests that C is the product at all. On ±1 every format and every order is exact, so that no rounding excuses a wrong entry. */
export const multiplies: InspectionQuestion = {
  id: 'multiplies',
  question: 'Does C equal A·B for inputs of ±1?',
  wrongProducts: 'own',
  async ask({ session, random, measures, known, quick }) {
    const home = session.home(1);
    const all = [home, ...(quick ? SHAPES.quick : SHAPES.full)];
    const shapes = all.filter((shape) => session.refuses(shape) === undefined);
    const wrongs: { count: string; at: string }[] = [];
    for (const shape of shapes) {
      const { m, k, n } = shape;
      const a = session.matrix('a', m, k, signs(random, session.side('a'), k));
      const b = session.matrix('b', k, n, signs(random, session.side('b')));
      const wrong = wrongEntries(a, b, await session.multiply(a, b), session.result.round);
      if (wrong > 0 && shape === home) known.isWrong = true;
      if (wrong > 0) wrongs.push({ count: `${wrong} of ${m * n}`, at: shapeText(shape) });
    }
    measures.multiplies = wrongs.length === 0;
    if (wrongs.length > 0) measures.wrongAt = wrongs.map(({ at }) => at).join(', ');
    const answer =
      wrongs.length === 0
        ? 'yes'
        : `no, C is wrong at ${measures.wrongAt}: ${known.isWrong === true ? 'the inspection ended here' : 'other answers may be misleading'}`;
    const says = 'entries of C differ from A·B for inputs of ±1';
    const evidence =
      wrongs.length === 0
        ? `No ${says} at ${shapes.map(shapeText).join(', ')}.`
        : `${wrongs.map(({ count, at }, place) => `${count}${place === 0 ? ` ${says}` : ''} at ${at}`).join(', ')}.`;
    return [makeRefutableAnswer(wrongs.length === 0, answer, evidence)];
  },
};

/** Draws ±1, or 1 where there is no sign. In long rows only the first term, the last and some between are not 0. */
function signs(random: Random, side: OperandFormat, k = 1): () => number {
  let at = -1;
  const one = () => (isSigned(side) ? random.sign() : 1);
  return () => {
    at = (at + 1) % k;
    const kept = k <= DENSE || at < 16 || at >= k - 16 || random.uniform01() < 64 / k;
    return kept ? one() : 0;
  };
}

/** Returns the entries that differ from the expected sums of whole numbers, rounded once. */
export function wrongEntries(
  a: Matrix,
  b: Matrix,
  c: Matrix,
  round: (x: number) => number,
  fromRow = 0,
): number {
  const [k, n] = [a.cols, b.cols];
  let wrong = 0;
  for (let i = fromRow; i < a.rows; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let p = 0; p < k; p++) sum += a.data[i * k + p] * b.data[p * n + j];
      if (c.data[i * n + j] !== round(sum)) wrong++;
    }
  }
  return wrong;
}
