import { floatFormat } from './float-format.ts';

export const e4m3fnuz = floatFormat({
  name: 'e4m3fnuz',
  what: '4 exponent and 3 fraction bits, up to 240, one NaN, one zero and no infinity',
  source:
    'Noune, Jones, Justus, Masters, Luschi, 8-bit numerical formats for deep neural networks, 2022; LLVM and ONNX',
  exponentBits: 4,
  fractionBits: 3,
  bias: 8,
  specials: 'fnuz',
});
