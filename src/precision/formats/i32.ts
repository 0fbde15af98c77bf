import { wholeFormat } from './whole-format.ts';

export const i32 = wholeFormat({
  name: 'i32',
  what: 'whole numbers from −2^31 to 2^31 − 1, which sums of products of whole numbers have',
  source: 'ONNX, data types',
  bits: 32,
  signed: true,
});
