import { floatFormat } from './float-format.ts';

export const e5m2 = floatFormat({
  name: 'e5m2',
  what: '5 exponent and 2 fraction bits, up to 57344, infinities and NaN as in IEEE 754',
  source: 'OCP 8-bit Floating Point Specification (OFP8) 1.0',
  exponentBits: 5,
  fractionBits: 2,
  bias: 15,
  specials: 'ieee',
});
