import { type Fault, faultsIn } from './fault.ts';

/** The factor of A's first level in the shader of a leaf that decodes as it loads. */
const FACTOR = 'xFactor0(xFactors[5u], xBlock(5u, row, col, member))';
const BLOCK = /return down \* xFactors\[level \+ 4u\] \+ entry \/ xFactors\[level \+ 2u\];/;

/** Faults in decoding elements and factors. */
export const codedFaults: readonly Fault[] = [
  ...faultsIn('indexing', 'classical:naive', [0], {
    'factors-of-other-operand': {
      what: 'elements of A are multiplied by the factors of B',
      edits: [[FACTOR, FACTOR.replaceAll(/x(?=[FB])/g, 'y')]],
      precision: 'mxfp8-e4m3',
    },
    'factors-transposed': {
      what: 'factors of consecutive blocks along k are read from below instead of beside',
      edits: [[BLOCK, 'return (entry / xFactors[level + 2u]) * xFactors[level + 3u] + down;']],
      precision: 'mxfp8-e5m2',
    },
    'factors-one-entry-early': {
      what: 'blocks along k begin one entry early',
      edits: [[BLOCK, BLOCK.source.replaceAll('\\', '').replace('entry /', '(entry + 1u) /')]],
      precision: 'mxint8',
    },
    'nibbles-swapped': {
      what: 'the high one of two elements in a byte is read first',
      edits: [['(4u * (at % 8u))', '(4u * ((at ^ 1u) % 8u))']],
      precision: 'mxfp4',
    },
  }),
  ...faultsIn('precision', 'classical:tiled', [0], {
    'factor-bias': {
      what: 'the factors of A are doubled, as if the bias of e8m0 were 126',
      edits: [['pattern << 23u', '(pattern + 1u) << 23u']],
      precision: 'mxfp6-e2m3',
    },
    'element-bias': {
      what: 'normal elements of A are halved, as if the bias of e4m3 were 8',
      edits: [['+ 0x3c000000u', '+ 0x3b800000u']],
      precision: 'e4m3-row',
    },
    'outer-factor-lost': {
      what: 'the factor of all of A is left out',
      edits: [[/ {2}number = times\(number, bitcast<u32>\(xFactor1\(.*\n/, '']],
      precision: 'nvfp4',
    },
    'zero-points-lost': {
      what: 'zero points are not subtracted',
      edits: [[/ - yZero\(yFactors.*\)\);/, ');']],
      precision: 'nbits4',
    },
    'signs-lost': {
      what: 'elements of A are read as if they had no sign',
      edits: [[/f32\(\(bitcast<i32>\(pattern << 24u\) >> 24u\)\)/, 'f32(pattern)']],
      precision: 'int8-i32',
    },
  }),
];
