import { thresholdOptions } from '../../config/run-options.ts';
import { choice, field, number, text } from '../../options/kinds.ts';
import { shape } from '../../options/node/read.ts';
import { type OptionTable, pickOptions, type ValuesOf } from '../../options/option.ts';
import { ranges } from '../../problem/ranges.ts';
import { dtypes } from '../../tensors/dtypes.ts';
import { json } from '../gate/options.ts';

const OPS = ['n', 't'] as const;

export const checkOptions = {
  a: text('--a <file>', 'A: .npy, .npz#name, .safetensors#name, raw, or - for standard input'),
  b: text('--b <file>', 'B, likewise'),
  d: text('--d <file>', 'D, the product to check, likewise'),
  c: text('--c <file>', 'C, which --beta multiplies', { usual: 'none' }),
  bias: text('--bias <file>', 'The first step of the epilogue: bias', { excludes: ['--c', '--beta'] }),
  epilogue: text(
    '--epilogue <steps>',
    `Steps after the product, as in 'bias:b.npy gelu' (\`list epilogues\`)`,
    {
      usual: 'none',
      excludes: ['--sigmas'],
    },
  ),
  alpha: number(ranges.factor, '--alpha <value>', 'The factor of A·B', { usual: '1' }),
  beta: number(ranges.factor, '--beta <value>', 'The factor of C', { usual: '1 with --c', requires: '--c' }),
  opA: choice(OPS, '--op-a <op>', 'n: A as stored, t: its transpose', { usual: 'n' }),
  opB: choice(OPS, '--op-b <op>', 'n: B as stored, t: its transpose', { usual: 'n' }),
  dtype: text('--dtype <list>', `Types of entries of A, B, D, or one of all: ${dtypes.names.join(', ')}`, {
    usual: 'as the files say',
  }),
  shape: shape(undefined, '--shape <size>', 'Sizes mxkxn of raw files', { requires: '--dtype' }),
  precision: text('--precision <name>', 'Precision of the kernel (`list precisions`)', {
    usual: 'the one with the types of A, B and D',
  }),
  claims: text('--claims <json>', `The claims of the kernel, as in '{"order":"pairwise"}'`),
  algorithm: text('--algorithm <name>', 'strassen, or strassen:2 for two levels', {
    ...{ usual: 'classical', excludes: ['--claims'] },
  }),
  sigmas: { ...thresholdOptions.sigmas, what: 'Judge random operands by expected errors too', usual: 'off' },
  seed: number(ranges.seed, '--seed <n>', 'Seed of the samples of large products', { usual: '1' }),
  html: text('--html <file>', 'Write a page with heat maps of the errors'),
  json,
} as const satisfies OptionTable;

/** The request of `check`. */
export type CheckRequest = ValuesOf<typeof checkOptions>;

export const toleranceOptions = {
  k: number(ranges.size, '--k <n>', 'The number of terms of a sum, the columns of A', { excludes: ['--a'] }),
  precision: field('precision', 'f32'),
  ...pickOptions(checkOptions, 'claims', 'algorithm'),
  input: field('input', 'uniform', { excludes: ['--a'] }),
  a: text('--a <file>', 'Your own A, in place of --k and --input; with --b', { requires: '--b' }),
  b: text('--b <file>', 'Your own B', { requires: '--a' }),
  sigmas: checkOptions.sigmas && {
    ...checkOptions.sigmas,
    what: 'Largest error allowed, in sigmas',
    usual: '6',
  },
  seed: field('seed', '1'),
  json,
} as const satisfies OptionTable;

/** The request of `tolerance`. */
export type ToleranceRequest = ValuesOf<typeof toleranceOptions>;
