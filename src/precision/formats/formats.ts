import { type Registry, registryOf } from '../../base/registry.ts';
import { bf16, type CodedFormat, f16 } from '../format.ts';
import { e2m1 } from './e2m1.ts';
import { e2m3 } from './e2m3.ts';
import { e3m2 } from './e3m2.ts';
import { e4m3 } from './e4m3.ts';
import { e4m3fnuz } from './e4m3fnuz.ts';
import { e5m2 } from './e5m2.ts';
import { e5m2fnuz } from './e5m2fnuz.ts';
import { e8m0 } from './e8m0.ts';
import { i32 } from './i32.ts';
import { int4 } from './int4.ts';
import { int8 } from './int8.ts';
import { mxint8 } from './mxint8.ts';
import { ue4m3 } from './ue4m3.ts';
import { uint4 } from './uint4.ts';
import { uint8 } from './uint8.ts';

/** The formats with known bit patterns. */
export const formats: Registry<CodedFormat> = registryOf('format', [
  ...[f16, bf16],
  ...[e4m3, e5m2, e4m3fnuz, e5m2fnuz],
  ...[e3m2, e2m3, e2m1, mxint8],
  ...[e8m0, ue4m3],
  ...[int8, uint8, int4, uint4, i32],
]);
