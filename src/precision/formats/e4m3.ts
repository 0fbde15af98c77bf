import { floatFormat } from './float-format.ts';

export const e4m3 = floatFormat({
  name: 'e4m3',
  what: '4 exponent and 3 fraction bits, up to 448, a NaN of each sign and no infinity',
  source: 'OCP 8-bit Floating Point Specification (OFP8) 1.0',
  exponentBits: 4,
  fractionBits: 3,
  bias: 7,
  specials: 'one-nan',
});
