import type { Interval } from '../interval.ts';
import { endOfRange, numberParameter, type ParameterRecord, slopeBelowOne } from '../parameters.ts';
import type { EpilogueStep } from '../step.ts';

/** The result of maximum functions that return the other number for NaN. */
const ZERO: Interval = { lo: 0, hi: 0 };

export const relu: EpilogueStep = {
  name: 'relu',
  what: 'max(x, 0); NaN may become 0',
  source: 'ONNX, Relu',
  parameters: {},
  isActivation: true,
  of: () => ({
    at: (x, _, reals) => reals.max(x, reals.of(0)),
    ...{ shape: 'monotonic', rounds: false, ofNaN: ZERO },
  }),
};

export const squaredRelu: EpilogueStep = {
  name: 'squared-relu',
  what: 'max(x, 0)²; NaN may become 0',
  source: 'So, Mańke, Liu, Dai, Shazeer, Le, Primer, 2021',
  parameters: {},
  isActivation: true,
  of: () => ({
    at(x, _, reals) {
      const positive = reals.max(x, reals.of(0));
      return reals.multiply(positive, positive);
    },
    ...{ shape: 'monotonic', rounds: true, ofNaN: ZERO },
  }),
};

const slope: ParameterRecord = {
  ...numberParameter('factor of numbers below 0', 0.01),
  draw: slopeBelowOne,
  need: 'a finite number, at least 0',
  isValid: (value) => Number.isFinite(value) && Number(value) >= 0,
};

export const leakyRelu: EpilogueStep = {
  name: 'leaky-relu',
  what: 'x, and slope·x where x < 0',
  source: 'ONNX, LeakyRelu',
  parameters: { slope },
  main: 'slope',
  isActivation: true,
  of: () => ({
    at(x, by, reals) {
      const zero = reals.of(0);
      return reals.add(reals.max(x, zero), reals.multiply(by('slope'), reals.min(x, zero)));
    },
    ...{ shape: 'monotonic', rounds: true },
  }),
};

export const clamp: EpilogueStep = {
  name: 'clamp',
  what: 'min(max(x, low), high); NaN may become either',
  source: 'ONNX, Clip',
  parameters: {
    low: { ...numberParameter('least result'), draw: endOfRange(-1) },
    high: { ...numberParameter('greatest result'), draw: endOfRange(1) },
  },
  isActivation: true,
  whyWrong: ({ low, high }) =>
    (low as number) > (high as number) ? `"low" is ${low} and exceeds "high", ${high}` : undefined,
  of: ({ low, high }) => ({
    at: (x, by, reals) => reals.min(reals.max(x, by('low')), by('high')),
    ...{ shape: 'monotonic', rounds: false, ofNaN: { lo: low as number, hi: high as number } },
  }),
};
