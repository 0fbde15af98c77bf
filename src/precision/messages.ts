import { defineMessage, EXIT } from '../base/errors.ts';

export const badKernel = defineMessage(
  'bad-kernel',
  EXIT.usage,
  (d: { kernel: string | undefined; why: string }) =>
    d.kernel === undefined
      ? `The kernel has no name: ${d.why}.`
      : `The kernel ${d.kernel} cannot be used: ${d.why}.`,
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
    `${d.what} cannot be stored in ${d.format}, which has no bit pattern for it. Leave it out, or choose another format.`,
);

export const unseededRounding = defineMessage(
  'unseeded-rounding',
  EXIT.usage,
  () =>
    'Stochastic rounding needs a seeded random source. Give random, a function that returns numbers in [0, 1), with rounding: "stochastic".',
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
    `The codes cannot be read: ${d.what} need ${d.need} ${d.unit}, found ${d.found}.`,
);
