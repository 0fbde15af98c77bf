import { expect, it } from 'vitest';
import { everything, featuresOf } from '../matrix/features.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { checkKernel, whyNotComputed } from './check-kernel.ts';
import { gemms, specialGemms, withSeparateResult } from './whole-gemm.testing.ts';

const multiply = () => new Float32Array(1);
const wgsl = { source: '', workgroups: () => [1] };
const program = { command: ['python3', 'gemm.py'] };

it.each([
  [{ name: 'mine', multiply }],
  [{ name: 'mine:fast', wgsl, precision: 'f16' }],
  [{ name: 'mine', encode: () => {}, claims: { algorithm: 'strassen', levels: 2 } }],
  [{ name: 'mine', program, timeLimit: 0.5, accepts: () => true, claims: { order: 'pairwise' } }],
  [{ name: 'mine', multiply, accepts: 'everything' }],
  [{ name: 'mine', multiply, accepts: { beta: true, batch: false, sizes: 'm=1..16' } }],
  [{ name: 'mine', multiply, precision: 'c32', accepts: { conjugated: true }, claims: { algorithm: '3m' } }],
  [{ name: 'mine', multiply, precision: 'c64', entries: 'planar', claims: { algorithm: '4m' } }],
])('takes kernel %#', (kernel) => {
  expect(checkKernel(kernel)).toBe(kernel);
});

it.each<[unknown, RegExp]>([
  [null, /^The kernel null cannot be used: it is not an object\.$/],
  [{ multiply }, /^The kernel has no name: give it a name, a string without spaces, /],
  [{ name: 'a b', multiply }, /^The kernel "a b" cannot be used: its name must have no spaces, /],
  [{ name: 'a;b', multiply }, /its name must have no spaces, /],
  [{ name: 'a=b', multiply }, /its name must have no spaces, /],
  [{ name: 'mine' }, /it needs one of multiply, wgsl, encode and program\.$/],
  [{ name: 'mine', multiply, program }, /it needs one of .*, but it has multiply and program\.$/],
  [
    { name: 'mine', multiply, accepts: { conjugated: true } },
    /conjugate transposes \(accepts.conjugated\) need complex entries, but its precision is f32\.$/,
  ],
  [
    { name: 'mine', multiply, precision: 'f64', accepts: { complexFactors: true } },
    /alpha and beta with imaginary parts \(accepts.complexFactors\) need complex entries, but its precision is f64\.$/,
  ],
  [
    { name: 'mine', multiply, entries: 'planar' },
    /its entries \(a layout of complex entries\) need a complex precision, but its precision is f32/,
  ],
  [
    { name: 'mine', multiply, precision: 'c32', entries: 'f32' },
    /its entries are "f32", but must be "interleaved" or "planar"\.$/,
  ],
  [
    { name: 'mine', multiply, claims: { algorithm: '3m' } },
    /it claims 3m, which multiplies complex matrices/,
  ],
  [
    { name: 'mine', multiply, claims: { algorithm: '4m' } },
    /it claims 4m, which multiplies complex matrices/,
  ],
  [
    { name: 'mine', multiply, precision: 'c32', claims: { algorithm: '3m', levels: 2 } },
    /its claims\.levels of 3m must be 0 or 1: blocks of its factors are not complex matrices, but is 2\.$/,
  ],
  [
    { name: 'mine', multiply, precision: 'c32', claims: { order: 'sequential' } },
    /claims an order of sums, which a complex product cannot claim/,
  ],
  [
    {
      name: 'mine',
      multiply,
      precision: 'c32',
      claims: { algorithm: 'strassen', recursion: { fringe: 'static-pad' } },
    },
    /claims a recursion, which a complex product cannot claim/,
  ],
  [{ name: 'mine', multiply: 3 }, /its multiply must be a function \(a, b, \{ m, k, n \}\)/],
  [
    { name: 'mine', multiply, claims: { alpha: 'before' } },
    /its claims\.alpha must be one of \(first, operand, last, result\), but is "before"\.$/,
  ],
  [
    { name: 'mine', multiply, precision: 'fp16' },
    /its precision "fp16" is unknown\. Did you mean "f16"\? `gemm-paranoia list precisions` prints all\.$/,
  ],
  [
    { name: 'mine', multiply, accepts: true },
    /its accepts must be "everything", or an object with true for any of transposed, conjugated, columns, .*, structure \(structures such as general\|syrk-lower\|trmm-\*\), and sizes \(a function of a shape or a pattern such as m=1..4096;k=1..4096\), but is true\.$/,
  ],
  [{ name: 'mine', multiply, accepts: { beta: 1 } }, /its accepts\.beta must be true or false, but is 1\.$/],
  [
    { name: 'mine', multiply, accepts: { batches: true } },
    /its `accepts` has the unknown key "batches"; did you mean "batch"\?\.?$/,
  ],
  [
    { name: 'mine', multiply, accepts: { sizes: 'beta=1' } },
    /its accepts\.sizes must be a function of a shape or a pattern such as .*, but is "beta=1"\.$/,
  ],
  [{ name: 'mine', multiply, accepts: 'all' }, /its accepts must be "everything", .*, but is "all"\.$/],
  [{ name: 'mine', multiply, timeLimit: 0 }, /its timeLimit must be a number of seconds above 0/],
  [{ name: 'mine', multiply, timeLimit: Number.NaN }, /its timeLimit must be/],
  [{ name: 'mine', encode: 'x' }, /its encode must be a function/],
  [{ name: 'mine', wgsl: { source: 'x' } }, /its wgsl needs a source and a function workgroups/],
  [{ name: 'mine', program: { command: [] } }, /its program needs a command/],
  [{ name: 'mine', program: { ...program, mode: 'daemon' } }, /the mode "once" or "worker"/],
  [
    { name: 'mine', multiply, accepts: { epilogue: 'none|bias:row,gelo' } },
    /its accepts\.epilogue names no epilogue: Unknown epilogue step "gelo". Did you mean "gelu"\?/,
  ],
  [
    { name: 'mine', multiply, accepts: { epilogue: ['relu'] } },
    /its accepts\.epilogue must be epilogues with \| between them, such as none\|bias:row,relu, but is/,
  ],
  [
    { name: 'mine', program, accepts: { epilogue: 'relu' } },
    /epilogues \(accepts\.epilogue\) need a function or a worker, since no other way of calling has their numbers\.$/,
  ],
  [
    { name: 'mine', multiply, claims: { activations: { scheme: 'q8_0' } }, accepts: { epilogue: 'relu' } },
    /epilogues \(accepts\.epilogue\) exclude quantized activations \(claims\.activations\)\.$/,
  ],
  [
    { name: 'mine', multiply, precision: 'c32', accepts: { epilogue: 'relu' } },
    /epilogues \(accepts\.epilogue\) take real entries, but its precision is c32\.$/,
  ],
  [{ name: 'mine', multiply, claims: 'fast' }, /its claims must be an object, but is "fast"\.$/],
  [
    { name: 'mine', multiply, claims: { order: 'random' } },
    /its claims\.order must be one of \(any, sequential, .*\), but is "random"\.$/,
  ],
  [
    { name: 'mine', multiply, claims: { algorithm: 'strasen' } },
    /Unknown algorithm in claims "strasen". Did you mean "strassen"\? Known: classical, strassen, winograd, laderman/,
  ],
  [
    { name: 'mine', multiply, claims: { levels: -1 } },
    /its claims\.levels must be a whole number from 0 to 15, but is -1\.$/,
  ],
  [
    { name: 'mine', multiply, claims: { levels: () => 1.5 } },
    /its claims\.levels must be a whole number from 0 to 15, but is 1\.5\.$/,
  ],
  [
    { name: 'x', multiply, accepts: { structure: 'syrk-lowr' } },
    /its accepts\.structure must be structures such as general\|syrk-lower\|trmm-\*, but is "syrk-lowr"; did you mean "syrk-lower"\?$/,
  ],
  [
    { name: 'x', wgsl: { source: '', workgroups: () => [1] }, accepts: { structure: 'syrk-lower' } },
    /structures of products \(accepts\.structure\) need a function, a program or a library\.$/,
  ],
  [
    { name: 'x', multiply, precision: 'mxfp8-e4m3', accepts: { structure: 'syrk-lower' } },
    /need entries without block factors, but its precision is mxfp8-e4m3\.$/,
  ],
  [
    { name: 'x', multiply, accepts: { structure: 'syrk-lower', epilogue: 'relu' } },
    /need products without an epilogue, but accepts\.epilogue is relu\.$/,
  ],
  [
    { name: 'x', multiply, claims: { activations: {} }, accepts: { structure: 'syrk-lower' } },
    /need operands that are not quantized \(claims\.activations\)\.$/,
  ],
  [
    { name: 'x', multiply, accepts: { structure: 'general|herk-*' } },
    /herk-lower \(accepts\.structure\) needs complex entries, but its precision is f32\.$/,
  ],
])('refuses kernel %#', (kernel, message) => {
  expect(() => checkKernel(kernel)).toThrow(
    expect.objectContaining({ code: 'bad-kernel', exitCode: 2, message: expect.stringMatching(message) }),
  );
});

const claiming = (claims: unknown, precision = 'f16-f32') => ({ name: 'mine', multiply, precision, claims });
const unit = { terms: 8, bits: 26 };

it.each<[unknown]>([
  [claiming({ order: 'pairwise', partition: 128 })],
  [claiming({ order: 'split-k', parts: 8 })],
  [claiming({ order: 'split-k', parts: 8, cut: 'rest-last' })],
  [claiming({ order: 'split-k', parts: 8, cut: { tile: 32 } })],
  [claiming({ order: 'data-dependent' })],
  [claiming({ order: 'signs-apart' })],
  [claiming({ arithmetic: { rounding: 'toward-zero', accumulator: { ...unit, promoted: 128 } } })],
  [claiming({ arithmetic: { accumulator: { bits: 53 } } })],
  [claiming({ arithmetic: { accumulator: { compensated: 'kahan' } } })],
  [claiming({ order: 'split-k', parts: 8, arithmetic: { accumulator: { compensated: 'kahan' } } })],
  [claiming({ deterministic: false, arithmetic: { rounding: 'stochastic' } })],
  [claiming({ arithmetic: { operands: { rounding: 'toward-zero', subnormals: 'flushed' } } })],
  [claiming({ arithmetic: { subnormals: { operands: true, below: 2 ** -126 } } })],
])('takes the claims of kernel %#', (kernel) => {
  expect(checkKernel(kernel)).toBe(kernel);
});

it.each<[unknown, RegExp]>([
  [
    claiming({ partition: 8 }),
    /claims a partition, but the order any has none\. Remove partition, or claim order: 'blocked'\.$/,
  ],
  [claiming({ order: 'sequential', partition: 8 }), /but the order sequential has none/],
  [
    claiming({ order: 'blocked', parts: 8 }),
    /claims parts, but the order blocked has none\. Remove parts, or claim order: 'split-k'/,
  ],
  [claiming({ order: 'split-k', parts: 8, partition: 8 }), /both partition and parts\. Claim one of them/],
  [claiming({ order: 'split-k', cut: 'even' }), /claims a cut of k, but not the number of parts/],
  [
    claiming({ order: 'split-k', parts: 8, cut: 'evenly' }),
    /its claims\.cut must be even, rest-last or \{ tile \}, but is "evenly"; did you mean "even"\?/,
  ],
  [
    claiming({ order: 'split-k', parts: 8, cut: { tile: 0.5 } }),
    /its claims\.cut\.tile must be a whole number of terms, at least 1, but is 0\.5/,
  ],
  [
    claiming({ order: 'split-k', parts: 0 }),
    /its claims\.parts must be a whole number, at least 1, but is 0/,
  ],
  [
    claiming({ order: 'blocked', partition: 1.5 }),
    /its claims\.partition must be a whole number of terms, at least 1, but is 1\.5/,
  ],
  [
    claiming({ algoritm: 'strassen' }),
    /its `claims` has the unknown key "algoritm"; did you mean "algorithm"\?/,
  ],
  [claiming({ exact: true }), /its `claims` has the unknown key "exact"; known are algorithm, levels, /],
  [claiming({ arithmetic: 'fast' }), /its claims\.arithmetic must be an object, but is "fast"/],
  [
    claiming({ arithmetic: { roundng: 'nearest' } }),
    /its `claims\.arithmetic` has the unknown key "roundng"; did you mean "rounding"\?/,
  ],
  [
    claiming({ arithmetic: { rounding: 'up' } }),
    /its claims\.arithmetic\.rounding must be one of \(nearest, .*\), but is "up"/,
  ],
  [
    claiming({ arithmetic: { subnormals: 'flushed' } }),
    /subnormals must be kept, either or \{ operands, below \}, but is "flushed"/,
  ],
  [
    claiming({ arithmetic: { accumulator: { width: 3 } } }),
    /its `claims\.arithmetic\.accumulator` has the unknown key "width"; known are bits, terms, /,
  ],
  [
    claiming({ arithmetic: { accumulator: { terms: 8 } } }),
    /add 8 terms at once, but not within how many bits\. Claim accumulator\.bits, too/,
  ],
  [claiming({ arithmetic: { accumulator: { terms: 1, bits: 24 } } }), /a whole number from 2 to 4096/],
  [
    claiming({ arithmetic: { accumulator: { bits: 10 } } }),
    /a whole number from 11 \(the bits of f16\) to 128/,
  ],
  [
    claiming({ arithmetic: { accumulator: { ...unit, promoted: 12 } } }),
    /after 12, which is not a multiple of 8/,
  ],
  [
    claiming({ arithmetic: { accumulator: { promoted: 0 } } }),
    /accumulator\.promoted must be a whole number of terms, at least 1, but is 0/,
  ],
  [
    claiming({ arithmetic: { accumulator: { compensated: 'gill' } } }),
    /accumulator\.compensated must be kahan or neumaier, but is "gill"/,
  ],
  [
    claiming({ arithmetic: { accumulator: { ...unit, compensated: 'kahan' } } }),
    /but also to add several at once/,
  ],
  [
    claiming({ arithmetic: { accumulator: { compensated: 'kahan', promoted: 8 } } }),
    /compensated sums, but also to promote/,
  ],
  [
    claiming({ order: 'pairwise', arithmetic: { accumulator: { compensated: 'kahan' } } }),
    /compensated sums of the order pairwise, but neither partition nor parts/,
  ],
  [
    claiming({ order: 'data-dependent', arithmetic: { accumulator: { compensated: 'kahan' } } }),
    /compensated sums, but also the order data-dependent/,
  ],
  [
    claiming({ arithmetic: { rounding: 'toward-zero', accumulator: { compensated: 'kahan' } } }),
    /compensated sums, but also rounding toward-zero/,
  ],
  [
    claiming({ arithmetic: { rounding: 'stochastic', accumulator: unit } }),
    /which truncates, but also stochastic rounding/,
  ],
  [
    claiming({ order: 'pairwise', partition: 4, arithmetic: { accumulator: unit } }),
    /8 terms at once, but a partition of only 4/,
  ],
  [
    claiming({ arithmetic: { operands: { rounding: 'toward-zero' } } }, 'f32'),
    /a rounding of operands, but f32 multiplies them unrounded/,
  ],
  [
    claiming({ arithmetic: { operands: { rounding: 'up' } } }),
    /its claims\.arithmetic\.operands\.rounding must be nearest or toward-zero, but is "up"/,
  ],
])('refuses claims that contradict each other or the precision: kernel %#', (kernel, message) => {
  expect(() => checkKernel(kernel)).toThrow(
    expect.objectContaining({ code: 'bad-kernel', exitCode: 2, message: expect.stringMatching(message) }),
  );
});

it('takes a pattern of sizes for the shapes that a kernel multiplies', () => {
  const mine = { name: 'mine', multiply, accepts: 'm=1..16;n=8' } as never;
  expect(checkKernel(mine)).toBe(mine);
  expect(whyNotComputed(mine, { m: 16, k: 99, n: 8 })).toBeUndefined();
  expect(whyNotComputed(mine, { m: 17, k: 99, n: 8 })).toBe('it accepts only m=1..16;n=8');
  for (const accepts of ['', 'm', 'm=x', 'levels=1', 'm=1;seed=3']) {
    expect(() => checkKernel({ name: 'mine', multiply, accepts })).toThrow(
      /its accepts must be "everything"/,
    );
  }
});

it('asks a kernel which shapes it multiplies, and takes true or a reason only', () => {
  const shape = { m: 3, k: 4, n: 5 };
  const asked = (accepts: unknown) => () => whyNotComputed({ name: 'mine', accepts } as never, shape);
  expect(asked(undefined)()).toBeUndefined();
  expect(asked(() => true)()).toBeUndefined();
  expect(asked(({ k }: typeof shape) => `k is ${k}`)()).toBe('k is 4');
  for (const wrong of [() => false, () => undefined, () => '', () => 1]) {
    expect(asked(wrong)).toThrow(/must return true or a reason as a string/);
  }
  expect(
    asked(() => {
      throw new Error('no idea');
    }),
  ).toThrow('The kernel "mine" cannot be used: its accepts throws no idea.');
});

it('asks for no more of a kernel than it accepts, and says what it lacks', () => {
  const asked = gemms.flatMap(([, gemm]) => [gemm, withSeparateResult(gemm)]);
  for (const { key, what, needs } of featuresOf(false).filter(({ isSpecial }) => isSpecial !== true)) {
    const all = { name: 'mine', accepts: 'everything' } as const;
    const but = Object.fromEntries(featuresOf(false).map((feature) => [feature.key, feature.key !== key]));
    const needed = asked.filter(needs);
    expect(needed.length, key).toBeGreaterThan(0);
    for (const gemm of asked) {
      expect(whyNotComputed(all, gemm)).toBeUndefined();
      const why = needs(gemm) ? `it does not accept ${what} (accepts.${key} is not true)` : undefined;
      expect(whyNotComputed({ name: 'mine', accepts: but }, gemm)).toBe(why);
    }
  }
});

it('asks for general strides and addresses only where they are named', () => {
  for (const [what, gemm] of specialGemms) {
    expect(whyNotComputed({ name: 'mine', accepts: 'everything' }, gemm)).toBe(
      `it does not accept ${what} (accepts.${what === 'general strides' ? 'strides' : 'addresses'} is not true)`,
    );
    const named = { ...everything, strides: true, addresses: true };
    expect(whyNotComputed({ name: 'mine', accepts: named }, gemm)).toBeUndefined();
  }
  const multiply = () => new Float32Array(0);
  expect(() => checkKernel({ name: 'mine', accepts: { addresses: true }, multiply })).toThrow(
    'The kernel "mine" cannot be used: lists of addresses (accepts.addresses) need batches (accepts.batch).',
  );
});

it('asks for lists where there is a function for them', () => {
  const listed = { ...plainGemm({ m: 2, k: 3, n: 4 }), group: 2 };
  const spec = { name: 'mine', accepts: 'everything' } as const;
  expect(whyNotComputed(spec, listed)).toBe(
    'it does not accept groups of products of different shapes (accepts.grouped is not true)',
  );
  expect(whyNotComputed({ ...spec, multiplyGroup: () => [] }, listed)).toBeUndefined();
  const multiply = () => new Float32Array(0);
  const lists = { name: 'mine', accepts: { grouped: true } };
  expect(() => checkKernel({ ...lists, multiply })).toThrow(/need a function with multiplyGroup/);
  expect(() => checkKernel({ ...spec, multiply, multiplyGroup: 3 })).toThrow(
    /multiplyGroup must be a function/,
  );
  const program = { command: ['true'], mode: 'worker' };
  expect(checkKernel({ ...lists, program })).toMatchObject({ program });
});

it('asks a kernel that says nothing for A·B of dense matrices alone', () => {
  const [[, plain], ...others] = gemms;
  expect(whyNotComputed({ name: 'mine' }, plain)).toBeUndefined();
  for (const [, gemm] of others)
    expect(whyNotComputed({ name: 'mine' }, gemm)).toMatch(/^it does not accept /);
  expect(whyNotComputed({ name: 'mine', accepts: { beta: true, sizes: 'm=3' } }, plain)).toBe(
    'it accepts only m=3',
  );
});

it('complex factors are taken only where that is said, everything or not', () => {
  const gemm = { ...plainGemm({ m: 2, k: 3, n: 4 }), alpha: 0, imaginary: { alpha: 1, beta: 0 } };
  const refused = (accepts: object | 'everything') =>
    whyNotComputed({ name: 'mine', multiply, precision: 'c32', accepts } as never, gemm);
  expect(refused({ alpha: true, complexFactors: true })).toBeUndefined();
  expect(refused({ alpha: true, beta: true })).toBe(
    'it does not accept alpha and beta with imaginary parts (accepts.complexFactors is not true)',
  );
  expect(refused('everything')).toBe(refused({ alpha: true, beta: true }));
  expect(refused({ complexFactors: true })).toContain('it does not accept alpha other than 1');
});

it.each<[object, RegExp]>([
  [{ precission: 'f16' }, /it has the unknown option "precission"; did you mean "precision"\?/],
  [{ tolerance: 1e-3 }, /it has the unknown option "tolerance"; known are name, precision, /],
  [{ scale: 'plain' }, /it has the unknown option "scale"; did you mean "scales"\?/],
  [{ scales: 'swizled', precision: 'nvfp4' }, /but are "swizled"; did you mean "swizzled"\?/],
  [
    { claims: { arithmatic: {} } },
    /its `claims` has the unknown key "arithmatic"; did you mean "arithmetic"\?/,
  ],
  [
    { claims: { order: 'pair-wise' } },
    /its claims\.order must be one of .*, but is "pair-wise"; did you mean "pairwise"\?/,
  ],
  [
    { precision: 'f16-f32-f16', claims: { arithmetic: { result: { roundings: 'nearest' } } } },
    /its `claims\.arithmetic\.result` has the unknown key "roundings"; did you mean "rounding"\?/,
  ],
  [
    { claims: { arithmetic: { subnormals: { operand: true, below: 0 } } } },
    /its `claims\.arithmetic\.subnormals` has the unknown key "operand"; did you mean "operands"\?/,
  ],
  [
    { claims: { algorithm: 'strassen', recursion: { fringe: 'static-pad', shedule: 'wide' } } },
    /its `claims\.recursion` has the unknown key "shedule"; did you mean "schedule"\?/,
  ],
  [
    { multiply: undefined, program, prepare: () => {} },
    /its option prepare belongs to a kernel with multiply, but it has program/,
  ],
  [
    { multiply: undefined, wgsl, entries: 'f16' },
    /its option entries belongs to a kernel with multiply or encode, but it has wgsl/,
  ],
  [
    { multiply: undefined, wgsl: { ...wgsl, entrypoint: 'm' } },
    /its `wgsl` has the unknown key "entrypoint"; did you mean "entryPoint"\?/,
  ],
  [
    { multiply: undefined, wgsl: { ...wgsl, bindings: { A: 0 } } },
    /its `wgsl\.bindings` has the unknown key "A"; did you mean "a"\?/,
  ],
  [
    { multiply: undefined, program: { ...program, commands: [] } },
    /its `program` has the unknown key "commands"; did you mean "command"\?/,
  ],
])('refuses what nobody would read: %#', (more, says) => {
  expect(() => checkKernel({ name: 'mine', multiply, ...more })).toThrow(says);
});

it('leaves alone what a kernel keeps for itself', () => {
  class Own {
    readonly name = 'mine';
    readonly multiply = multiply;
    readonly cache = new Map();
  }
  for (const kernel of [
    new Own(),
    { name: 'mine', multiply, _cache: 1 },
    { name: 'mine', multiply, prepare: undefined },
  ])
    expect(checkKernel(kernel)).toBe(kernel);
});
