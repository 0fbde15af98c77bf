import { expect, test } from 'vitest';
import { arithmetic32 } from '../formats/arithmetic32.ts';
import { type ArithmeticModel, arithmeticModels, fitArithmetic, probeOperands } from './arithmetic.ts';

const operands = probeOperands();

/** What a device of the given arithmetic would answer to the probe. */
function answers(model: ArithmeticModel): Float32Array {
  const { add, mul, fma } = arithmetic32(model);
  const results = new Float32Array(operands.length);
  for (let i = 0; i < operands.length; i += 4) {
    const [a, b, c] = operands.subarray(i, i + 3);
    results.set([add(a, b), mul(a, b), fma(a, b, c)], i);
  }
  return results;
}

test.each(arithmeticModels)('the probe tells a device of %o from all others', (model) => {
  expect(fitArithmetic(answers(model))).toMatchObject({
    ...model,
    flushesSubnormals: model.flushesOperands || model.flushesBelow > 0,
    roundsToNearest: true,
    mirrored: true,
    exceptionsFollowIeee: true,
  });
});

test('a device that rounds towards zero is found out', () => {
  const results = answers(arithmeticModels[0]);
  for (let i = 0; i < operands.length; i += 4) {
    const exact = operands[i] + operands[i + 1];
    const away = Math.abs(results[i]) > Math.abs(exact) && Number.isFinite(results[i]);
    if (away) results[i] -= Math.sign(exact) * 2 ** (Math.floor(Math.log2(Math.abs(exact))) - 23);
  }
  expect(fitArithmetic(results)).toMatchObject({ roundsToNearest: false, mirrored: false });
});

test('a device that makes infinity minus infinity zero is still mirrored where results are finite', () => {
  const results = answers(arithmeticModels[0]).map((x) => (Number.isNaN(x) ? 0 : x));
  expect(fitArithmetic(results)).toMatchObject({ mirrored: true, exceptionsFollowIeee: false });
});
