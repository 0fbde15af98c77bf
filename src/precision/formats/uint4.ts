import { wholeFormat } from './whole-format.ts';

export const uint4 = wholeFormat({
  name: 'uint4',
  what: 'whole numbers from 0 to 15',
  source: 'ONNX, data types',
  bits: 4,
  signed: false,
});
