import type { OpenDevice } from '../src/gpu/device.ts';
import { whyExceeded } from '../src/gpu/wgsl/leaves/leaf.ts';
import { leaves } from '../src/gpu/wgsl/leaves/leaves.ts';

/** Leaf kernels that stand for the others of their kind where a device compiles slowly. */
const SAMPLE = [
  ...['naive', 'naive-4', 'tiled-16', 'tiled-8', 'tiled-4'],
  ...['register-64x64', 'register-32x32', 'register-8x16', 'register-4x128', 'register-128x4'],
  'texture',
];

/**
 * Returns the leaf kernels for laws: all that a device runs, or a sample on a software adapter. The latter takes seconds to compile large
 * kernels, and multiplies slowly with barriers. The unit tests of leaves have small blocks of the others.
 */
export function leafNames(open: Pick<OpenDevice, 'fingerprint' | 'limits' | 'subgroup'>): string[] {
  return leaves
    .filter((leaf) => whyExceeded(leaf, open) === undefined)
    .filter(({ name }) => open.fingerprint.kind === 'hardware' || SAMPLE.includes(name))
    .map(({ name }) => name);
}

/** Returns these as kernels without recursion, with the families and the fused kernel. */
export function classicalNames(open: Pick<OpenDevice, 'fingerprint' | 'limits' | 'subgroup'>): string[] {
  return ['tiled', 'register', 'fused', ...leafNames(open)].map((leaf) => `classical:${leaf}`);
}
