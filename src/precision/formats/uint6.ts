import { wholeFormat } from './whole-format.ts';

export const uint6 = wholeFormat({
  name: 'uint6',
  what: 'whole numbers from 0 to 63',
  source: 'llama.cpp, ggml-common.h',
  bits: 6,
  signed: false,
});
