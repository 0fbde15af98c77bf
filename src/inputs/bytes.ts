import { ACCEPTED, type InputShape, inputFamily, reachOfIntegers } from './input.ts';
import { integerBudget, operandLimit, ROUNDED, roundsWhole } from './integer-budget.ts';

/** The largest byte. */
const MOST = 255;

const weightsOf = (shape: InputShape): number =>
  Math.min(operandLimit(shape) < MOST ? 0 : MOST, Math.floor(integerBudget(shape.k, shape) / MOST));

/** The entries of pictures and of quantized activations: whole numbers of one sign that fill eight bits. */
export const bytes = inputFamily({
  name: 'bytes',
  what: 'A holds whole numbers from 0 to 255, B small ones of both signs; all sums stay exact.',
  source: 'pixels of images, and weights of filters',
  catches: 'Bytes read as signed or kept in seven bits, at zero tolerance.',
  statistics: 'structured',
  exactness: 'integers',
  reachOf: reachOfIntegers,
  accepts: (shape) =>
    weightsOf(shape) >= 1
      ? ACCEPTED
      : {
          ok: false,
          reason: roundsWhole(shape)
            ? ROUNDED
            : `with k = ${shape.k}, sums of bytes could exceed the range of exact sums`,
        },
  make: (request) => {
    const most = weightsOf(request);
    const { m, k, n, random, fill } = request;
    const [ra, rb] = [random(1), random(2)];
    return { a: fill(m, k, () => ra.int(0, MOST)), b: fill(k, n, () => rb.sign() * rb.int(1, most)) };
  },
});
