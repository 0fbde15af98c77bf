import { expect, test } from 'vitest';
import { inShort } from '../base/in-short.testing.ts';
import {
  type ArithmeticModel,
  arithmeticModels,
  arithmeticOperands,
  fitArithmetic,
  half,
  type MeasuredFormat,
  single,
} from './arithmetic.ts';

/** Returns the answers to the probe of a device with the given arithmetic. */
function answers(model: ArithmeticModel, subject: MeasuredFormat = single): Float32Array {
  const operands = arithmeticOperands(subject.format);
  const { add, mul, fma } = subject.operations(model);
  const results = new Float32Array(operands.length);
  for (let i = 0; i < operands.length; i += 4) {
    const [a, b, c] = operands.subarray(i, i + 3);
    results.set([add(a, b), mul(a, b), fma(a, b, c)], i);
  }
  return results;
}

const models = [single, half].flatMap((subject) =>
  arithmeticModels(subject).map((model) => ({ subject, model, name: subject.format.name })),
);

test.each(inShort(models, 9))(
  'the probe tells a device of $name $model from all others',
  ({ subject, model }) => {
    expect(fitArithmetic(answers(model, subject), subject)).toMatchObject({
      ...model,
      rounding: 'nearest',
      modeled: true,
      exceptions: true,
    });
  },
);

test('a device that rounds towards zero is found out', () => {
  const operands = arithmeticOperands(single.format);
  const results = answers(arithmeticModels(single)[0]);
  for (let i = 0; i < operands.length; i += 4) {
    const exact = operands[i] + operands[i + 1];
    const away = Math.abs(results[i]) > Math.abs(exact) && Number.isFinite(results[i]);
    if (away) results[i] -= Math.sign(exact) * 2 ** (Math.floor(Math.log2(Math.abs(exact))) - 23);
  }
  expect(fitArithmetic(results)).toMatchObject({ rounding: 'faithful', modeled: false });
});

test('a device that makes infinity minus infinity zero is still mirrored where results are finite', () => {
  const results = answers(arithmeticModels(single)[0]).map((x) => (Number.isNaN(x) ? 0 : x));
  expect(fitArithmetic(results)).toMatchObject({ modeled: true, exceptions: false });
});
