import { lookUp } from '../base/objects.ts';
import { formats } from '../precision/formats/formats.ts';
import type { Chain } from './chain-text.ts';
import type { EntryNumbers } from './entry-numbers.ts';
import type { Settings } from './parameters.ts';

/** The operations of which steps are made on a device: on numbers, or on texts of a shader. */
export interface DeviceOperations<T> {
  constant(x: number): T;
  add(x: T, y: T): T;
  /** Returns x·y, rounded before anything is added to it. */
  multiply(x: T, y: T): T;
  /** Returns `then` where x > y, else `other`; NaN is not above anything. */
  above(x: T, y: T, then: T, other: T): T;
  /** Rounds to a whole number, ties to even. */
  nearest(x: T): T;
  tanh(x: T): T;
  /** Returns 1/(1 + e^-x). */
  sigmoid(x: T): T;
}

/** A step as our kernels compute it on a device, in binary32. */
export interface DeviceStep {
  /** Returns the numbers that its formula reads, in their order. @defaultValue none */
  readonly numbers?: (settings: Settings) => readonly EntryNumbers[];
  readonly formula: <T>(x: T, numbers: readonly T[], by: DeviceOperations<T>) => T;
  /** True if it calls a function whose results differ between devices, so that no model knows its bits. @defaultValue false */
  readonly isSmooth?: true;
  /** Says what it lacks of some settings, as a clause; undefined where it has all. */
  readonly whyNot?: (settings: Settings) => string | undefined;
}

/** Explains why a claimed error is not that of WGSL. */
const whyOtherAccuracy = ({ accuracy, ulps, formula = 'exp' }: Settings): string | undefined =>
  accuracy === 'wgsl' && ulps === undefined && formula === 'exp'
    ? undefined
    : 'its functions have the accuracy wgsl alone, as in silu:wgsl';

const smooth = (formula: DeviceStep['formula']): DeviceStep => ({
  formula,
  isSmooth: true,
  whyNot: whyOtherAccuracy,
});

const added: DeviceStep = {
  numbers: ({ values }) => [values as EntryNumbers],
  formula: (x, [value], by) => by.add(x, value),
};

const positive = <T>(x: T, by: DeviceOperations<T>): T => by.above(x, by.constant(0), x, by.constant(0));

/** Returns a number within a range; NaN becomes its least number. */
function within<T>(x: T, low: T, high: T, by: DeviceOperations<T>): T {
  const atLeast = by.above(x, low, x, low);
  return by.above(high, atLeast, atLeast, high);
}

const reciprocal = (scale: EntryNumbers): EntryNumbers =>
  typeof scale === 'number' ? 1 / scale : { ...scale, data: Float64Array.from(scale.data, (x) => 1 / x) };

const codeNames: readonly unknown[] = ['int8', 'uint8', 'int4', 'uint4'];

function whyOtherCodes({ to, rounding, overflow, formula }: Settings): string | undefined {
  if (!codeNames.includes(to)) return `it makes codes of ${codeNames.join(', ')}`;
  if (rounding !== 'nearest') return 'it rounds codes to nearest, ties to even';
  if (overflow !== 'saturate') return 'its codes saturate';
  return formula === 'quotient' ? 'it multiplies by 1/scale, rounded' : undefined;
}

/**
 * The steps that our kernels compute. WGSL has no erf, and a gate needs two entries of a product at once. An implementation may contract
 * a product and a sum, so that products are rounded by an operation of their own.
 */
const deviceSteps: Readonly<Record<string, DeviceStep>> = {
  bias: added,
  residual: added,
  scale: {
    numbers: ({ values }) => [values as EntryNumbers],
    formula: (x, [value], by) => by.multiply(x, value),
  },
  relu: { formula: (x, _, by) => positive(x, by) },
  'squared-relu': { formula: (x, _, by) => by.multiply(positive(x, by), positive(x, by)) },
  'leaky-relu': {
    numbers: ({ slope }) => [slope as number],
    formula: (x, [slope], by) => by.above(x, by.constant(0), x, by.multiply(x, slope)),
  },
  clamp: {
    numbers: ({ low, high }) => [low as number, high as number],
    formula: (x, [low, high], by) => within(x, low, high, by),
  },
  sigmoid: smooth((x, _, by) => by.sigmoid(x)),
  tanh: smooth((x, _, by) => by.tanh(x)),
  silu: smooth((x, _, by) => by.multiply(x, by.sigmoid(x))),
  'gelu-tanh': smooth((x, _, by) => {
    const cube = by.multiply(by.multiply(x, x), x);
    const inner = by.add(x, by.multiply(by.constant(0.044715), cube));
    const tanh = by.tanh(by.multiply(by.constant(Math.sqrt(2 / Math.PI)), inner));
    return by.multiply(by.multiply(by.constant(0.5), x), by.add(by.constant(1), tanh));
  }),
  requantize: {
    numbers({ to, scale, zeroPoint }) {
      const { maxFinite, holds } = formats.find(to as string);
      const least = holds.negative ? -maxFinite - 1 : 0;
      return [reciprocal(scale as EntryNumbers), zeroPoint as number, least, maxFinite];
    },
    formula(x, [factor, zeroPoint, low, high], by) {
      const code = by.add(by.nearest(by.multiply(x, factor)), zeroPoint);
      return within(code, low, high, by);
    },
    whyNot: whyOtherCodes,
  },
};

/** Returns the formula of a step that our kernels compute. */
export const deviceStep = (name: string): DeviceStep => lookUp(deviceSteps, name) as DeviceStep;

/** Explains why our kernels do not compute a chain, as a clause; undefined where they do. */
export function whyNotOnDevice({ steps }: Pick<Chain, 'steps'>): string | undefined {
  for (const { record, settings } of steps) {
    const step = lookUp(deviceSteps, record.name);
    const why =
      step === undefined
        ? `it computes no ${record.name}, but ${Object.keys(deviceSteps).join(', ')}`
        : step.whyNot?.(settings);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** True if no step calls a function, so that the model has the bits of a device. */
export const isModeled = ({ steps }: Pick<Chain, 'steps'>): boolean =>
  steps.every(({ record }) => deviceStep(record.name).isSmooth !== true);
