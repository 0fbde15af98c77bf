import { wholeFormat } from './whole-format.ts';

export const uint8 = wholeFormat({
  name: 'uint8',
  what: 'whole numbers from 0 to 255',
  source: 'ONNX, data types',
  bits: 8,
  signed: false,
});
