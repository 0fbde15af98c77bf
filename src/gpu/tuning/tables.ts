import type { Fingerprint } from '../device.ts';
import { type LeafCapabilities, whyExceeded } from '../wgsl/leaves/leaf.ts';
import { leaves } from '../wgsl/leaves/leaves.ts';
import type { SizedRates, Tuning } from './tuning.ts';

type Known = Pick<Fingerprint, 'kind' | 'vendor' | 'name'>;

/** The rates measured on one adapter, for all adapters of its kind. */
interface Table extends Pick<Tuning, 'rates' | 'sums' | 'scale'> {
  readonly what: string;
  fits(adapter: Known): boolean;
}

/**
 * Rates measured on an H200 (132 multiprocessors), driver 580, through Vulkan. Those of staged kernels at 1024 and 2048 are of operands that
 * are not in its cache: operands of leaf products are not (`reports/bench-nvidia-h200/machine-code`).
 */
const h200: readonly SizedRates[] = [
  {
    size: 512,
    teraflops: {
      'staged-32x32-4x4-columns-double': 20.5,
      'staged-64x64-4x4-columns-double': 12.3,
      'staged-64x64-8x8-columns-double': 8.2,
      'register-4x128': 6.7,
      'register-8x16': 6.6,
      'register-128x4': 4.4,
    },
  },
  {
    size: 1024,
    teraflops: {
      'staged-64x64-4x4-columns-double': 34.1,
      'staged-128x64-8x8-blocks': 33.9,
      'staged-64x128-8x8-columns': 33.8,
      'staged-64x64-8x8-columns': 30.3,
      'staged-32x32-4x4-columns-double': 24.7,
      'staged-64x64-8x8-columns-double': 22.4,
      'register-4x128': 17.3,
      'register-128x4': 6.7,
    },
  },
  {
    size: 2048,
    teraflops: {
      'staged-128x128-8x8-turned-double': 49.8,
      'staged-128x256-8x16-columns': 45.3,
      'staged-128x256-8x8-columns': 45.1,
      'staged-64x256-8x16-columns': 44.3,
      'staged-128x128-8x16-blocks': 44.3,
      'staged-128x128-8x8-columns': 44.3,
      'staged-64x128-8x8-columns': 42.2,
      'staged-64x64-8x8-columns-double': 39.2,
      'staged-64x64-8x8-columns': 38.6,
      'staged-64x64-4x4-columns-double': 36.4,
      'staged-32x32-4x4-columns-double': 30.6,
      'register-4x128': 18.3,
      'register-128x4': 6.2,
    },
  },
  {
    size: 4096,
    teraflops: {
      'staged-128x128-8x8-turned-double': 50.9,
      'staged-128x256-8x8-columns': 45.6,
      'staged-128x128-8x16-blocks': 45.6,
      'staged-64x256-8x16-columns': 45.6,
      'staged-64x128-8x8-columns': 44.2,
      'staged-64x64-8x8-columns-double': 40.7,
      'staged-64x64-8x8-columns': 40.3,
      'staged-128x64-8x8-blocks': 38.8,
      'staged-64x64-4x4-columns-double': 37.1,
      'staged-32x32-4x4-columns-double': 30.8,
      'register-4x128': 19.2,
      'register-128x4': 4.4,
    },
  },
  {
    size: 16384,
    teraflops: {
      'staged-128x128-8x8-turned-double': 53,
      'staged-64x256-8x16-columns': 47.2,
      'staged-128x128-8x16-blocks': 46.9,
      'staged-128x256-8x8-columns': 46.8,
      'staged-64x128-8x8-columns': 45.4,
      'staged-64x64-8x8-columns-double': 41.7,
      'staged-64x64-8x8-columns': 41.6,
      'register-4x128': 19.2,
      'register-128x4': 4.4,
    },
  },
];

/**
 * Rates measured with SwiftShader on two cores, as 2n³ over half the processor time that a product took. For smaller products, a shader
 * with so many entries takes longer to compile than it saves.
 */
const software: readonly SizedRates[] = [
  { size: 128, teraflops: {} },
  {
    size: 256,
    teraflops: {
      'swap4-32x32': 0.0078,
      'register-64x64': 0.0033,
      'register-4x128': 0.0029,
      'register-128x4': 0.0029,
    },
  },
  {
    size: 512,
    teraflops: {
      'swap4-32x32': 0.0083,
      'register-64x64-16x16': 0.0056,
      'register-64x64': 0.0032,
      'register-32x32': 0.0028,
      'register-4x128': 0.0029,
      'register-128x4': 0.0027,
    },
  },
];

/** Rates measured the same way with lavapipe (Mesa 25, 256 bits). For smaller products only kernels that compile quickly. */
const lavapipe: readonly SizedRates[] = [
  { size: 64, teraflops: {} },
  {
    size: 128,
    teraflops: { 'broadcast8-8x32': 0.038, 'register-4x128': 0.015, 'register-128x4': 0.017 },
  },
  {
    size: 256,
    teraflops: {
      'broadcast8-16x32': 0.048,
      'broadcast8-8x32': 0.036,
      'register-32x32': 0.017,
      'register-4x128': 0.016,
      'register-128x4': 0.016,
    },
  },
  {
    size: 512,
    teraflops: {
      'broadcast8-32x32': 0.06,
      'broadcast8-16x32': 0.049,
      'broadcast8-8x32': 0.04,
      'register-64x64': 0.018,
      'register-4x128': 0.016,
      'register-128x4': 0.016,
    },
  },
  {
    size: 1024,
    teraflops: {
      'broadcast8-32x32': 0.044,
      'broadcast8-16x32': 0.038,
      'broadcast8-8x32': 0.034,
      'register-64x64': 0.017,
      'register-4x128': 0.015,
      'register-128x4': 0.013,
    },
  },
];

/**
 * The block shape of fused products. 8192³ by Strassen, one level, took 24.5 ms with it; 25.6 with 64×128 entries a workgroup, 27 to 38
 * with more.
 */
const h200Sums = { from: 1024, leaf: 'staged-128x64-8x8-blocks' };

/** The tables, the first that fits counts. Adapters without a table use the block shape of `register` that wastes least. */
const tables: readonly Table[] = [
  { what: 'lavapipe', fits: ({ name }) => /\bllvmpipe\b/.test(name), rates: lavapipe },
  { what: 'software adapters', fits: ({ kind }) => kind === 'software', rates: software },
  { what: 'the H200', fits: ({ name }) => /\bH[12]00\b/.test(name), rates: h200, sums: h200Sums },
  {
    what: 'NVIDIA GPUs',
    fits: ({ kind, vendor }) => kind === 'hardware' && vendor === 'nvidia',
    rates: h200,
    sums: h200Sums,
    scale: 0.03,
  },
];

/** Returns the built-in tuning for an adapter, with the kernels it can run; undefined if no table fits. */
export function builtInTuning(adapter: Known, able: LeafCapabilities): Tuning | undefined {
  const table = tables.find(({ fits }) => fits(adapter));
  if (table === undefined) return undefined;
  const { what, rates, sums, scale = 1 } = table;
  const because = `the table for ${what}`;
  return { because, rates: rates.map((sized) => running(sized, able)), ...(sums && { sums }), scale };
}

function running({ size, teraflops }: SizedRates, able: LeafCapabilities): SizedRates {
  const refused = leaves.filter((leaf) => whyExceeded(leaf, able) !== undefined).map(({ name }) => name);
  const kept = Object.entries(teraflops).filter(([name]) => !refused.includes(name));
  return { size, teraflops: Object.fromEntries(kept) };
}
