import { wholeFormat } from './whole-format.ts';

export const uint5 = wholeFormat({
  name: 'uint5',
  what: 'whole numbers from 0 to 31',
  source: 'llama.cpp, ggml-common.h',
  bits: 5,
  signed: false,
});
