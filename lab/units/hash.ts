import { type FormatName, formatNames } from './formats.ts';

export const floatKinds = [
  'integers',
  'bits',
  'narrow',
  'wide',
  'cancel',
  'one-large',
  'cancel-c',
  'subnormal',
  'special',
  'zeros',
  'low-bits',
  'underflow',
  'zeros-c',
  'all-subnormal',
] as const;
export const integerKinds = ['integers', 'bits', 'extreme'] as const;
/** A kind of operands; operands.py explains each. */
export type DrawKind = (typeof floatKinds)[number] | (typeof integerKinds)[number];

/** Roles of streams of hashed numbers. */
export const roles = [
  'a',
  'b',
  'c',
  'c2',
  'low',
  'position',
  'gap-a',
  'gap-b',
  'unused',
  'library-a',
  'library-b',
] as const;
export type DrawRole = (typeof roles)[number];

/** A set of operands: `steps` successive instructions of a unit, or 0 for a library's product. */
export interface UnitDraw {
  readonly format: FormatName;
  readonly kind: DrawKind;
  readonly steps: number;
}

function mixed(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** A 32-bit hash of a place, bit for bit as in operands.py. */
export function hashPlace({ format, kind, steps }: UnitDraw, role: DrawRole, index: number): number {
  const kinds: readonly DrawKind[] = format === 'int8' ? integerKinds : floatKinds;
  const stream =
    ((formatNames.indexOf(format) * 64 + kinds.indexOf(kind)) * 8 + steps) * 16 + roles.indexOf(role);
  return mixed((Math.imul(index, 0x9e3779b1) + mixed(stream)) | 0);
}
