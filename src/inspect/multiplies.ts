import type { Matrix, Shape } from '../matrix/dense.ts';
import { holding, type Question } from './question.ts';

/** Beside the usual shape one that no block or tile divides. */
const ODD: Shape = { m: 13, k: 19, n: 17 };

/** Whether it multiplies at all: on ±1, where every format and every order is exact, nothing can excuse a wrong entry. */
export const multiplies: Question = {
  id: 'multiplies',
  question: 'Is C the product of A and B, on matrices of ±1?',
  async ask({ session, random, measured }) {
    const shapes = [session.home(1), ODD].filter((shape) => session.refuses(shape) === undefined);
    const texts: string[] = [];
    let wrong = 0;
    for (const { m, k, n } of shapes) {
      const a = session.matrix(m, k, () => random.sign());
      const b = session.matrix(k, n, () => random.sign());
      const differing = wrongEntries(a, b, await session.multiply(a, b));
      wrong += differing;
      texts.push(`${differing} of ${m * n} entries of a ${m}×${k}×${n} product`);
    }
    measured.multiplies = wrong === 0;
    const answer = wrong === 0 ? 'yes' : 'no: what follows is about something else than a product';
    return [holding(wrong === 0, answer, `${texts.join(' and ')} were wrong.`)];
  },
};

/** Entries that are not the sums of whole numbers that they should be. */
export function wrongEntries(a: Matrix, b: Matrix, c: Matrix, fromRow = 0): number {
  const [k, n] = [a.cols, b.cols];
  let wrong = 0;
  for (let i = fromRow; i < a.rows; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let p = 0; p < k; p++) sum += a.data[i * k + p] * b.data[p * n + j];
      if (c.data[i * n + j] !== sum) wrong++;
    }
  }
  return wrong;
}
