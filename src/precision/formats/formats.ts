import { type Registry, registryOf } from '../../base/registry.ts';
import { bf16, type CodedFormat, f16 } from '../format.ts';
import { e2m1, e2m3, e3m2, e4m3, e4m3fnuz, e5m2, e5m2fnuz, e8m0, ue4m3 } from './floats.ts';
import { i32, int4, int8, mxint8, uint4, uint8 } from './whole-formats.ts';

/** The formats with known bit patterns. */
export const formats: Registry<CodedFormat> = registryOf('format', [
  ...[f16, bf16],
  ...[e4m3, e5m2, e4m3fnuz, e5m2fnuz],
  ...[e3m2, e2m3, e2m1, mxint8],
  ...[e8m0, ue4m3],
  ...[int8, uint8, int4, uint4, i32],
]);
