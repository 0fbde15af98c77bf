import { ParanoiaError } from '../base/errors.ts';
import { judgeProduct, type ProductOptions } from '../evidence/judge-product.ts';
import type { CodedMatrix } from '../matrix/coded.ts';
import { productMessage } from './message.ts';
import { asMatrix, asOperand, type MatrixLike } from './operand.ts';
import { type MatcherResult, type MatcherState, replayOfTest, undecided } from './state.ts';

/**
 * Implements `expect(c).toBeProductOf(a, b, options)`. It passes if C is the product of A and B within the error bound of the
 * claimed algorithm. A bound that proves nothing, or a value that is no matrix, fails the assertion, and fails it under `not` as
 * well.
 */
export function toBeProductOf(
  this: MatcherState,
  received: unknown,
  a: MatrixLike | CodedMatrix,
  b: MatrixLike | CodedMatrix,
  options: ProductOptions = {},
): MatcherResult {
  try {
    const c = asMatrix('C', received, options);
    const [left, right] = [asOperand('A', a, options), asOperand('B', b, options)];
    const before = options.before && asMatrix('before', options.before, options);
    const judged = judgeProduct(c, left, right, { ...options, before });
    const message = () => productMessage(judged, replayOfTest(this));
    if (judged.verdict === 'inconclusive') return undecided(this, message);
    return { pass: judged.verdict === 'pass', message };
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    return undecided(this, () => error.message);
  }
}
