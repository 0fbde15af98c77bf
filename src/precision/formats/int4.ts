import { wholeFormat } from './whole-format.ts';

export const int4 = wholeFormat({
  name: 'int4',
  what: 'whole numbers from −8 to 7',
  source: 'ONNX, data types',
  bits: 4,
  signed: true,
});
