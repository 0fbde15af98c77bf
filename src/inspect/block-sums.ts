import { multiply } from '../kernels/kernel.ts';
import { modelKernel } from '../kernels/model-kernel.ts';
import type { Matrix } from '../matrix/dense.ts';
import { wrongEntries } from './multiplies.ts';
import { describeOperands } from './operand-format.ts';
import type { InspectionQuestion } from './question.ts';
import { lastHolding } from './terms.ts';
import { SkippedQuestion } from './wrong-product.ts';

/** Bits by which another schedule of the same algorithm may differ. */
const SLACK = 3;

/**
 * Measurement of the significant bits that sums of blocks keep in a Strassen-like method. A is ±1 except for 2^t in its corner; B is ±1.
 * Other rows of C stay exact as long as block sums and products hold 2^t beside 1. The model of our own schedule gives the expected
 * largest t.
 */
export const blockSums: InspectionQuestion = {
  id: 'block-sum-bits',
  question: 'How many significant bits do sums of blocks keep?',
  wrongProducts: 'subject',
  async ask({ session, random, measures }) {
    const { algorithm, levelsBySize = [] } = measures;
    const at = levelsBySize.find((one) => one.algorithm === algorithm && (one.levels ?? 0) > 0);
    if (at === undefined || algorithm === undefined || algorithm === 'strassen-like') return [];
    if (measures.multiplies === false) return [];
    if (session.isFew)
      throw new SkippedQuestion(
        `${describeOperands(session.sides)} do not hold powers of two far apart beside each other.`,
      );
    const { n, levels = 0 } = at;
    const working = session.kernel.precision.accumulated.precision;
    const signs = (of: 'a' | 'b') => session.matrix(of, n, n, () => random.sign());
    const [a, b] = [signs('a'), signs('b')];
    const model = modelKernel(algorithm, session.kernel);
    const plan = model.plan({ m: n, k: n, n }, { levels, fringe: 'pad', tail: 'mask' });
    const exactWith = (productOf: (a: Matrix) => Promise<Matrix>) =>
      lastHolding(1, working, async (t) => {
        const huge = session.matrix('a', n, n, (i, p) => (i === 0 && p === 0 ? 2 ** t : a.data[i * n + p]));
        return wrongEntries(huge, b, await productOf(huge), session.result.round, 1) === 0;
      });
    const found = await exactWith((huge) => session.multiply(huge, b));
    const expected = await exactWith(
      async (huge) => (await multiply({ kernel: model, plan, operands: { a: huge, b } })).c,
    );
    const bits = Math.min(working, working - (expected - found));
    const fewer = found < expected - SLACK;
    measures.blockSumBits = fewer ? bits : working;
    return [
      {
        answer: fewer
          ? `about ${bits}, fewer than products do`
          : `${working}, as far as other roundings let see`,
        value: measures.blockSumBits,
        confidence: 'measured',
        evidence: `${n}×${n}×${n} with 2^t in the corner of A, all else ±1: rows without it were exact up to t = ${found}, in our own ${algorithm} up to t = ${expected}.`,
      },
    ];
  },
};
