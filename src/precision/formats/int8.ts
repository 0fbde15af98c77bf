import { wholeFormat } from './whole-format.ts';

export const int8 = wholeFormat({
  name: 'int8',
  what: 'whole numbers from −128 to 127',
  source: 'ONNX, data types',
  bits: 8,
  signed: true,
});
