import { floatFormat } from './float-format.ts';

export const e2m1 = floatFormat({
  name: 'e2m1',
  what: '2 exponent bits and 1 fraction bit, up to 6, neither NaN nor infinity',
  source: 'OCP Microscaling Formats (MX) 1.0',
  exponentBits: 2,
  fractionBits: 1,
  bias: 1,
  specials: 'none',
});
