import { problem } from '../../problems.ts';
import type { OpenDevice } from '../device.ts';

/** @throws Problem `precision-unserved` where the device has no f16. */
export function needHalf({ device, fingerprint }: OpenDevice, kernel: string): void {
  if (device.features.has('shader-f16')) return;
  const why = `it does not offer shader-f16, which ${kernel} needs`;
  throw problem('precision-unserved', { precision: 'f16', name: fingerprint.name, why });
}
