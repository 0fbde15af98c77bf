import { loadOptions } from '../../config/command-options.ts';
import { runOptions } from '../../config/run-options.ts';
import { choice, field, flag, number, text } from '../../options/kinds.ts';
import { shape } from '../../options/node/read.ts';
import { type OptionTable, pickOptions, type ValuesOf } from '../../options/option.ts';
import type { Depth } from '../../plan/levels.ts';
import { type Style, styles } from '../../plan/plan.ts';
import { ranges } from '../../problem/ranges.ts';
import { json } from '../gate/options.ts';
import { layoutOptions } from './layouts.ts';

const ALGORITHM = 'Algorithm: strassen, winograd, … (`list algorithms`)';

export const depthOptions = {
  levels: field('levels', '0'),
  tau1: number(ranges.size, '--tau1 <n>', 'Classical algorithm up to this size', {
    ...{ usual: 'half of --tau2', excludes: ['--levels'] },
  }),
  tau2: number(ranges.size, '--tau2 <n>', 'One level up to this size, recursion above', {
    ...{ usual: 'twice --tau1', excludes: ['--levels'] },
  }),
} as const satisfies OptionTable;
export type DepthRequest = ValuesOf<typeof depthOptions>;

const ofMethod = { fringe: field('fringe', 'pad'), tail: field('tail', 'mask') } as const;

export const measureOptions = {
  algorithm: text('--algorithm <name>', ALGORITHM, { usual: 'classical' }),
  ...depthOptions,
  leaf: text('--leaf <name>', 'Leaf kernel: naive, tiled, register, wide, fused, tiled-16, …', {
    usual: 'register',
  }),
  ...ofMethod,
  input: field('input', 'uniform'),
  size: shape(undefined, '--size <size>', 'Size of the product: 1024 or 512x256x128'),
  a: text('--a <file>', 'Left matrix (.npy), rounded to --precision; with --b', {
    ...{ requires: '--b', excludes: ['--input', '--size', '--init'] },
  }),
  b: text('--b <file>', 'Right matrix (.npy), rounded to --precision; with --a', { requires: '--a' }),
  seed: field('seed', '1'),
  on: choice(['gpu', 'model'] as const, '--on <where>', 'gpu, or model: the bit-exact model on the CPU', {
    usual: 'gpu',
  }),
  init: field('init', 'f32, or f64 for wider precisions'),
  precision: field('precision', 'f32'),
  alpha: field('alpha', '1'),
  beta: field('beta', '0'),
  batch: field('batch', '1'),
  ...layoutOptions,
  ...pickOptions(runOptions, 'adapter', 'toggles'),
  ...pickOptions(loadOptions, 'config'),
  json,
} as const satisfies OptionTable;
export type MeasureRequest = ValuesOf<typeof measureOptions>;

export const describeOptions = {
  algorithm: text('--algorithm <name>', ALGORITHM, { usual: 'strassen' }),
  ...depthOptions,
  levels: field('levels', '1'),
  size: shape(ranges.size, '--size <size>', 'Size of the product: 1024 or 512x256x128', { usual: '1024' }),
  ...ofMethod,
  style: choice(
    Object.keys(styles) as Style[],
    '--style <name>',
    `Place of the block sums: ${Object.keys(styles).join(', ')}`,
    {
      usual: 'scheduled',
    },
  ),
  all: flag('--all', 'List every step, not one call per level'),
  ...pickOptions(loadOptions, 'config'),
  json,
} as const satisfies OptionTable;
export type DescribeRequest = ValuesOf<typeof describeOptions>;

export const referenceOptions = {
  a: text('--a <file>', 'Left matrix: a .npy file of float32 or float64'),
  b: text('--b <file>', 'Right matrix: a .npy file of float32 or float64'),
  alpha: number(ranges.factor, '--alpha <value>', 'Factor of the product', { usual: '1' }),
  beta: number(ranges.factor, '--beta <value>', 'Factor of C', { usual: '0' }),
  c: text('--c <file>', 'Matrix C that --beta multiplies: a .npy file'),
  out: text('--out <file>', 'The .npy file to write: the product, rounded to float64'),
  size: shape(undefined, '--size <size>', 'Size of generated operands, instead of --a and --b', {
    excludes: ['--a', '--b'],
  }),
  input: { ...field('input', 'uniform'), requires: '--size' },
  precision: { ...field('precision', 'f32'), requires: '--size' },
  seed: field('seed', '1'),
  on: choice(['cpu', 'gpu'], '--on <where>', 'cpu, or gpu (the CPU checks random entries)', { usual: 'cpu' }),
  by: text('--by <name>', 'GPU method: matrix, dot-staged or dot-plain', {
    ...{ usual: 'the fastest', requires: '--on gpu' },
  }),
  adapter: { ...runOptions.adapter, requires: '--on gpu' },
  toggles: { ...runOptions.toggles, requires: '--on gpu' },
  json,
} as const satisfies OptionTable;
export type ReferenceRequest = ValuesOf<typeof referenceOptions>;

/** Returns the depth that `--levels`, or `--tau1` and `--tau2`, describe. @param usual the default levels */
export function readDepth({ levels, tau1, tau2 }: DepthRequest, usual: number): Depth {
  if (tau1 === undefined && tau2 === undefined) return { levels: levels ?? usual };
  return { tau1: tau1 ?? Math.ceil(Number(tau2) / 2), tau2: tau2 ?? 2 * Number(tau1) };
}
