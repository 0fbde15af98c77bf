import { f32 } from '../format.ts';
import { e2m1 } from '../formats/e2m1.ts';
import { e2m3 } from '../formats/e2m3.ts';
import { e3m2 } from '../formats/e3m2.ts';
import { e4m3 } from '../formats/e4m3.ts';
import { e5m2 } from '../formats/e5m2.ts';
import { e8m0 } from '../formats/e8m0.ts';
import { mxint8 } from '../formats/mxint8.ts';
import { ue4m3 } from '../formats/ue4m3.ts';
import { ALL, both, type OperandCodings, scaleOf } from './operand-codings.ts';

const MX = 'OCP Microscaling Formats (MX) 1.0';

const elements = [
  ['mxfp8-e4m3', e4m3],
  ['mxfp8-e5m2', e5m2],
  ['mxfp6-e3m2', e3m2],
  ['mxfp6-e2m3', e2m3],
  ['mxfp4', e2m1],
  ['mxint8', mxint8],
] as const;

/** Codings of small blocks along k with factors of 8 bits. */
export const ofMicroscaling: readonly OperandCodings[] = [
  ...elements.map(([name, element]) => ({
    name,
    what: `${element.name} with a power of two for each 32 entries along k`,
    source: MX,
    coded: both({ element, scales: [scaleOf(1, 32, e8m0)] }),
  })),
  {
    name: 'nvfp4',
    what: 'e2m1 with a factor in ue4m3 for each 16 entries along k and one in binary32 for all',
    source: 'NVIDIA, Pretraining large language models with NVFP4, 2025',
    coded: both({ element: e2m1, scales: [scaleOf(1, 16, ue4m3), scaleOf(ALL, ALL, f32)] }),
  },
];
