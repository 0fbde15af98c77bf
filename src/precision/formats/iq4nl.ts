import { tableFormat } from './table-format.ts';

export const iq4nl = tableFormat({
  name: 'iq4nl',
  what: '16 whole numbers from −127 to 113, denser near 0, which is none of them',
  source: 'llama.cpp, kvalues_iq4nl of ggml-common.h',
  numbers: [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113],
});
