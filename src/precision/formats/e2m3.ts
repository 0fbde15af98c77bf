import { floatFormat } from './float-format.ts';

export const e2m3 = floatFormat({
  name: 'e2m3',
  what: '2 exponent and 3 fraction bits, up to 7.5, neither NaN nor infinity',
  source: 'OCP Microscaling Formats (MX) 1.0',
  exponentBits: 2,
  fractionBits: 3,
  bias: 1,
  specials: 'none',
});
