import { wholeFormat } from './whole-format.ts';

export const int3 = wholeFormat({
  name: 'int3',
  what: 'whole numbers from −4 to 3',
  source: 'llama.cpp, ggml-common.h',
  bits: 3,
  signed: true,
});
