import { floatFormat } from './float-format.ts';

export const e3m2 = floatFormat({
  name: 'e3m2',
  what: '3 exponent and 2 fraction bits, up to 28, neither NaN nor infinity',
  source: 'OCP Microscaling Formats (MX) 1.0',
  exponentBits: 3,
  fractionBits: 2,
  bias: 3,
  specials: 'none',
});
