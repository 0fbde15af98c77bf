import { judgeProduct, type ProductOptions } from '../gate/judge-product.ts';
import { Problem } from '../problems.ts';
import { productMessage } from './message.ts';
import { asMatrix, type MatrixLike } from './operand.ts';
import { type MatcherResult, type MatcherState, replayOf } from './state.ts';

/**
 * `expect(c).toBeProductOf(a, b, options)`: whether C is the product of A and B within what the claimed algorithm may
 * err. Fails too where the bound proves nothing. A matrix that is none fails with a sentence, also under `not`.
 */
export function toBeProductOf(
  this: MatcherState,
  received: unknown,
  a: MatrixLike,
  b: MatrixLike,
  options: ProductOptions = {},
): MatcherResult {
  try {
    const [c, left, right] = [
      asMatrix('C', received, options),
      asMatrix('A', a, options),
      asMatrix('B', b, options),
    ];
    const judged = judgeProduct(c, left, right, options);
    return { pass: judged.verdict === 'pass', message: () => productMessage(judged, replayOf(this)) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // What cannot be judged is no match, and no mismatch either.
    return { pass: this.isNot === true, message: () => error.message };
  }
}
