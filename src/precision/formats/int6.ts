import { wholeFormat } from './whole-format.ts';

export const int6 = wholeFormat({
  name: 'int6',
  what: 'whole numbers from −32 to 31',
  source: 'llama.cpp, ggml-common.h',
  bits: 6,
  signed: true,
});
