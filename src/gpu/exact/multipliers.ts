import { unknownName } from '../../base/messages.ts';
import type { OpenDevice } from '../device.ts';
import { compileShader } from '../queue/errors.ts';
import { findUnit } from '../subgroup-matrix-configs.ts';
import { type DigitMultiply, dotFunctions, dotPlain, dotStaged } from './dots.ts';
import { matrixSlices } from './matrix-slices.ts';
import type { Multiplier } from './multiplier.ts';

const dots = new WeakMap<GPUDevice, Promise<DigitMultiply>>();

/** Finds out whether the device's WGSL has `dot4I8Packed`, by compiling it: only browsers list language features. */
function dotOf(open: OpenDevice): Promise<DigitMultiply> {
  const running = { kernel: 'the exact product', step: 'asking for dot4I8Packed' };
  const known =
    dots.get(open.device) ??
    compileShader(open, dotFunctions.native, running).then(
      () => 'native' as const,
      () => 'shifts' as const,
    );
  dots.set(open.device, known);
  return known;
}

/** Returns the multipliers of slices that a device has, the fastest first. */
export async function multipliersOf(open: OpenDevice): Promise<readonly Multiplier[]> {
  const dot = await dotOf(open);
  const unit = findUnit(open.device, 'i8', 'i32');
  const all = [...(unit === undefined ? [] : [matrixSlices(unit)]), dotStaged(dot), dotPlain(dot)];
  return open.fingerprint.kind === 'hardware' ? all : all.reverse();
}

/** Finds a multiplier of slices by name; by default the fastest. @throws ParanoiaError `unknown-name` */
export async function findMultiplier(open: OpenDevice, name?: string): Promise<Multiplier> {
  const all = await multipliersOf(open);
  const found = name === undefined ? all[0] : all.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw unknownName({
    what: 'way to multiply slices',
    given: name ?? '',
    known: all.map((one) => one.name),
  });
}
