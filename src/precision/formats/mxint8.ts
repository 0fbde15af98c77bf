import { wholeFormat } from './whole-format.ts';

export const mxint8 = wholeFormat({
  name: 'mxint8',
  what: 'multiples of 1/64 from −2 to 127/64, in two’s complement',
  source: 'OCP Microscaling Formats (MX) 1.0',
  bits: 8,
  signed: true,
  unit: 2 ** -6,
});
