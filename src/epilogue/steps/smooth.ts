import { accuracies } from '../accuracies.ts';
import { gamma, type Interval, type Reals, sizeOf } from '../interval.ts';
import { type ParameterRecord, type Settings, ulpsParameter, wordParameter } from '../parameters.ts';

import type { EpilogueStep, StepContext, StepFunction } from '../step.ts';

/** A smooth function of an entry, and the error of its usual formula. */
export interface SmoothFunction {
  readonly at: <T>(x: Interval<T>, reals: Reals<T>) => Interval<T>;
  readonly shape: Exclude<StepFunction['shape'], 'arithmetic'>;
  /** Bounds the absolute error of the usual formula. */
  error: ErrorBound;
  /** Bounds the absolute error of the formula by tanh, if that is in use. */
  readonly errorByTanh?: ErrorBound;
}

type ErrorBound = (x: Interval, y: Interval, context: StepContext) => number;

/** The parameters that claim the error of a function. */
const errorParameters: Readonly<Record<string, ParameterRecord>> = {
  accuracy: wordParameter('documented errors of exp, tanh and erf', accuracies.names, 'cuda'),
  ulps: ulpsParameter,
};

const formula = wordParameter('1/(1 + e^−x) is computed so, or as (1 + tanh(x/2))/2', ['exp', 'tanh'], 'exp');

/** Returns a bound on the error of a function: as claimed, or that of its formula. */
const errorOf =
  ({ error, errorByTanh }: SmoothFunction, { ulps, formula }: Settings): ErrorBound =>
  (x, y, context) =>
    typeof ulps === 'number'
      ? gamma(2 * ulps, context.arithmetic) * sizeOf(y) + ulps * context.arithmetic.format.minSubnormal
      : (formula === 'tanh' && errorByTanh !== undefined ? errorByTanh : error)(x, y, context);

/** Returns the step of a smooth function. */
export const smoothStep = (
  about: Pick<EpilogueStep, 'name' | 'what' | 'source'>,
  by: SmoothFunction,
): EpilogueStep => ({
  ...about,
  parameters: by.errorByTanh === undefined ? errorParameters : { ...errorParameters, formula },
  isActivation: true,
  of(settings) {
    const bound = errorOf(by, settings);
    return {
      at: (x, _, reals) => by.at(x, reals),
      error: (x, y, _, context) => bound(x, y, context),
      ...{ shape: by.shape, rounds: false },
    };
  },
});

/** 1/(1 + e^-x). */
const logistic = <T>(x: Interval<T>, reals: Reals<T>): Interval<T> => {
  const one = reals.of(1);
  return reals.divide(one, reals.add(one, reals.exp(reals.multiply(reals.of(-1), x))));
};

/**
 * Bounds the relative error of 1/(1 + e^-x) but for overflow of e^-x, which leaves less than the smallest normal number: that of e^-x has
 * the share e^-x/(1 + e^-x), which is at most e^-x where x > 0; the sum rounds once, and the quotient errs too.
 */
function logisticError(x: Interval, { arithmetic, accuracy }: StepContext): number {
  // Beyond ln(largest number) e^-x is infinite, or too small to count.
  const reach = Math.min(sizeOf(x), Math.log(arithmetic.format.maxFinite) + 1);
  const { relative } = accuracy.exp(reach, arithmetic);
  return (
    gamma(2 + 2 * accuracy.quotientUlps, arithmetic) +
    relative * (1 + relative) * (x.lo > 0 ? Math.exp(-x.lo) * 1.001 : 1)
  );
}

/** tanh, whose results below the smallest normal number may be flushed. */
const tanhFunction: SmoothFunction = {
  at: (x, reals) => reals.tanh(x),
  shape: 'monotonic',
  error(_, y, { arithmetic, accuracy }) {
    const { relative, absolute } = accuracy.tanh(arithmetic);
    return relative * sizeOf(y) + absolute + (y.lo === 0 && y.hi === 0 ? 0 : arithmetic.format.minNormal);
  },
};

/** Bounds the error of tanh anywhere: a sum of ±1 and tanh, which cancels, has all of it. */
function tanhError({ arithmetic, accuracy }: StepContext): number {
  const { relative, absolute } = accuracy.tanh(arithmetic);
  return relative + absolute;
}

const sigmoidFunction: SmoothFunction = {
  at: logistic,
  shape: 'monotonic',
  error: (x, y, context) => logisticError(x, context) * sizeOf(y) + context.arithmetic.format.minNormal,
  errorByTanh: (_, y, context) =>
    (tanhError(context) / 2) * (1 + gamma(1, context.arithmetic)) +
    gamma(1, context.arithmetic) * sizeOf(y) +
    context.arithmetic.format.minNormal,
};

export const siluFunction: SmoothFunction = {
  at: (x, reals) => reals.multiply(x, logistic(x, reals)),
  shape: { from: -1.2784645427610739, to: -1.2784645427610737, least: -0.2784645427610739 },
  error: (x, y, context) =>
    (logisticError(x, context) + gamma(1, context.arithmetic)) * sizeOf(y) * (1 + 2 ** -20) +
    sizeOf(x) * context.arithmetic.format.minNormal,
  // x/2 + x/2·tanh(x/2) rounds its product too.
  errorByTanh: (x, y, context) =>
    (sizeOf(x) / 2) * (tanhError(context) + gamma(2, context.arithmetic)) +
    gamma(3, context.arithmetic) * sizeOf(y) +
    (1 + sizeOf(x)) * context.arithmetic.format.minNormal,
};

/**
 * x·Φ(x), as x/2·(1 + erf(x/√2)): the sum cancels where x < 0, so that the error of erf counts relatively to x. The rounded argument
 * changes erf by less than 2u·max(2t·e^(−t²)/√π) < u.
 */
export const geluFunction: SmoothFunction = {
  at: (x, reals) => reals.multiply(x, reals.normalCdf(x)),
  shape: { from: -0.7517915246935646, to: -0.7517915246935643, least: -0.1699712074799037 },
  error(x, y, { arithmetic, accuracy }) {
    const { relative, absolute } = accuracy.erf(arithmetic);
    return (
      (sizeOf(x) / 2) * (relative + absolute + gamma(2, arithmetic)) +
      gamma(4, arithmetic) * sizeOf(y) +
      (x.lo === 0 && x.hi === 0 ? 0 : arithmetic.format.minNormal)
    );
  },
};

/**
 * x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))). The argument t has a relative error of at most 7u, which changes tanh by less than
 * 7u·max(t/cosh²(t)) < 3.2u. The formula x/(1 + e^-2t) errs less.
 */
export const geluTanhFunction: SmoothFunction = {
  at(x, reals) {
    const cube = reals.multiply(reals.multiply(x, x), x);
    const factor = reals.divide(reals.of(44715), reals.of(1e6));
    const inner = reals.add(x, reals.multiply(factor, cube));
    const twice = reals.multiply(reals.of(2), reals.multiply(reals.rootOfTwoOverPi(), inner));
    // (1 + tanh(t))/2 = 1/(1 + e^-2t), without cancellation.
    return reals.multiply(x, logistic(twice, reals));
  },
  shape: { from: -0.7524614220710164, to: -0.752461422071016, least: -0.1700407505712542 },
  error(x, y, context) {
    const { arithmetic } = context;
    return (
      (sizeOf(x) / 2) * (tanhError(context) + gamma(4, arithmetic)) +
      gamma(8, arithmetic) * sizeOf(y) +
      (x.lo === 0 && x.hi === 0 ? 0 : arithmetic.format.minNormal)
    );
  },
};

export const gelu = smoothStep(
  {
    name: 'gelu',
    what: 'x·Φ(x) = x/2·(1 + erf(x/√2))',
    source: 'Hendrycks, Gimpel, Gaussian error linear units, 2016',
  },
  geluFunction,
);

export const geluTanh = smoothStep(
  {
    name: 'gelu-tanh',
    what: 'x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³)))',
    source: 'Hendrycks, Gimpel, Gaussian error linear units, 2016',
  },
  geluTanhFunction,
);

export const silu = smoothStep(
  { name: 'silu', what: 'x/(1 + e^−x), also named swish', source: 'Elfwing, Uchibe, Doya, 2017' },
  siluFunction,
);

export const sigmoid = smoothStep(
  { name: 'sigmoid', what: '1/(1 + e^−x)', source: 'ONNX, Sigmoid' },
  sigmoidFunction,
);

export const tanh = smoothStep(
  { name: 'tanh', what: 'hyperbolic tangent', source: 'ONNX, Tanh' },
  tanhFunction,
);
