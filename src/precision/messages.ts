import { defineMessage, EXIT } from '../base/errors.ts';

export const badKernel = defineMessage(
  'bad-kernel',
  EXIT.usage,
  (d: { kernel: string; why: string }) => `The kernel ${d.kernel} cannot be used: ${d.why}.`,
);

export const badPrecision = defineMessage(
  'bad-precision',
  EXIT.usage,
  (d: { precision: string; why: string }) => `The precision "${d.precision}" cannot be computed: ${d.why}.`,
);

export const notStored = defineMessage(
  'not-stored',
  EXIT.usage,
  (d: { what: string; format: string }) =>
    `${d.what} cannot be stored in ${d.format}, which has no bit pattern for it; leave it out, or choose a format that has one.`,
);

export const unseededRounding = defineMessage(
  'unseeded-rounding',
  EXIT.usage,
  () =>
    'Numbers are not rounded at random without a source that repeats itself: give it as random, a function that returns numbers of [0, 1), beside rounding: "stochastic".',
);

export const badCoded = defineMessage(
  'bad-coded',
  EXIT.usage,
  (d: { operand: string; why: string }) => `The codes of ${d.operand} cannot be used: ${d.why}.`,
);

export const badLayout = defineMessage(
  'bad-layout',
  EXIT.usage,
  (d: { what: string; need: number; unit: string; found: number }) =>
    `The codes cannot be read: ${d.what} take ${d.need} ${d.unit}, but there are ${d.found}.`,
);
