import { floatFormat } from './float-format.ts';

export const ue4m3 = floatFormat({
  name: 'ue4m3',
  what: 'e4m3 without a sign, in 7 bits: the scale of NVFP4’s blocks',
  source: 'NVIDIA, PTX ISA, alternate floating-point data formats',
  signed: false,
  exponentBits: 4,
  fractionBits: 3,
  bias: 7,
  specials: 'one-nan',
});
