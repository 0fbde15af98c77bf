import { wholeFormat } from './whole-format.ts';

export const uint2 = wholeFormat({
  name: 'uint2',
  what: 'whole numbers from 0 to 3',
  source: 'llama.cpp, ggml-common.h',
  bits: 2,
  signed: false,
});
