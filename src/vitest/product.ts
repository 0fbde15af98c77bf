import { ParanoiaError } from '../base/errors.ts';
import { judgeProduct, type ProductOptions } from '../evidence/judge-product.ts';
import type { Coded } from '../matrix/coded.ts';
import { productMessage } from './message.ts';
import { asMatrix, asOperand, type MatrixLike } from './operand.ts';
import { type MatcherResult, type MatcherState, replayOf, undecided } from './state.ts';

/**
 * `expect(c).toBeProductOf(a, b, options)`: whether C is the product of A and B within what the claimed algorithm may
 * err. Fails too where the bound proves nothing. That, and a matrix that is none, fails under `not` too, with a sentence.
 */
export function toBeProductOf(
  this: MatcherState,
  received: unknown,
  a: MatrixLike | Coded,
  b: MatrixLike | Coded,
  options: ProductOptions = {},
): MatcherResult {
  try {
    const c = asMatrix('C', received, options);
    const [left, right] = [asOperand('A', a, options), asOperand('B', b, options)];
    const before = options.before && asMatrix('before', options.before, options);
    const judged = judgeProduct(c, left, right, { ...options, before });
    const message = () => productMessage(judged, replayOf(this));
    if (judged.verdict === 'inconclusive') return undecided(this, message);
    return { pass: judged.verdict === 'pass', message };
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    return undecided(this, () => error.message);
  }
}
