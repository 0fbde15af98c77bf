import { problem } from '../../problems.ts';
import type { OpenDevice } from '../device.ts';
import { findUnit } from '../subgroup-matrix/configs.ts';
import { type Dot, dotFunctions } from './dot.ts';
import { dotPlain } from './dot-plain.ts';
import { dotStaged } from './dot-staged.ts';
import { matrixSlices } from './matrix-slices.ts';
import type { Multiplier } from './multiplier.ts';

const dots = new WeakMap<GPUDevice, Promise<Dot>>();

/** Whether the device's WGSL has `dot4I8Packed`: asked by compiling it, since only the browser's list says so otherwise. */
function dotOf({ device }: OpenDevice): Promise<Dot> {
  const known =
    dots.get(device) ?? compiles(device, dotFunctions.native).then((has) => (has ? 'native' : 'shifts'));
  dots.set(device, known);
  return known;
}

async function compiles(device: GPUDevice, code: string): Promise<boolean> {
  device.pushErrorScope('validation');
  const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
  const error = await device.popErrorScope();
  return error === null && messages.every(({ type }) => type !== 'error');
}

/** The ways to multiply slices that a device has, the fastest first. */
export async function multipliersOf(open: OpenDevice): Promise<readonly Multiplier[]> {
  const dot = await dotOf(open);
  const unit = findUnit(open.device, 'i8', 'i32');
  const all = [...(unit === undefined ? [] : [matrixSlices(unit)]), dotStaged(dot), dotPlain(dot)];
  return open.fingerprint.kind === 'hardware' ? all : all.reverse();
}

/** The way to multiply slices of a name, by default the fastest. @throws Problem `unknown-name` */
export async function findMultiplier(open: OpenDevice, name?: string): Promise<Multiplier> {
  const all = await multipliersOf(open);
  const found = name === undefined ? all[0] : all.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw problem('unknown-name', {
    what: 'way to multiply slices',
    given: name ?? '',
    known: all.map((one) => one.name),
  });
}
