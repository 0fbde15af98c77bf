import { floatFormat } from './float-format.ts';

export const e5m2fnuz = floatFormat({
  name: 'e5m2fnuz',
  what: '5 exponent and 2 fraction bits, up to 57344, one NaN, one zero and no infinity',
  source:
    'Noune, Jones, Justus, Masters, Luschi, 8-bit numerical formats for deep neural networks, 2022; LLVM and ONNX',
  exponentBits: 5,
  fractionBits: 2,
  bias: 16,
  specials: 'fnuz',
});
