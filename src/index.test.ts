import { expect, it } from 'vitest';
import { goldProduct } from './exact/gold.ts';
import { absoluteProduct, operandSize } from './exact/sizes.ts';
import {
  analyze,
  compile,
  exactProduct,
  findAlgorithm,
  findInput,
  matrix,
  openAdapter,
  ParanoiaError,
  parseCase,
  precisions,
  readResults,
  transpose,
} from './index.ts';
import { dumpNpy, parseNpy } from './matrix/npy.ts';
import { runModel } from './readers/model.ts';

const whole = matrix(2, 2, Float64Array.of(1, 2, 3, 4));
const short = { ...whole, data: whole.data.subarray(0, 3) };
const list = { rows: 2, cols: 2, data: [1, 2, 3, 4] };
const shape = { m: 2, k: 2, n: 2 };
const strassen = findAlgorithm('strassen');
const plan = compile({ algorithm: strassen, shape });
const computation = {
  precision: precisions.find('f32'),
  arithmetic: { rounding: 'nearest', fma: 'twice', subnormals: 'kept', exceptions: true, modeled: true },
};

// As callers without types may call them.
type Loose = (...args: unknown[]) => unknown;
const calls: [string, unknown, unknown[], RegExp][] = [
  [
    'exactProduct',
    exactProduct,
    [short, whole],
    /^A cannot be used: a 2×2 matrix has 4 entries, but its data has 3\.$/,
  ],
  ['exactProduct', exactProduct, [whole, list], /^B cannot be used: its data must be a Float32Array or/],
  ['exactProduct', exactProduct, [], /^A cannot be used: it is not a matrix\. Give \{ rows, cols, data \}/],
  ['goldProduct', goldProduct, [whole, short], /^B cannot be used/],
  ['absoluteProduct', absoluteProduct, [whole, [[1]]], /^B cannot be used: it is not a matrix/],
  ['operandSize', operandSize, [short], /^The operand cannot be used/],
  ['transpose', transpose, [short], /^The matrix to transpose cannot be used/],
  ['matrix', matrix, [2, 2, [1, 2, 3, 4]], /^A matrix cannot be used: its data must be/],
  ['dumpNpy', dumpNpy, [short], /^The matrix to write cannot be used/],
  [
    'parseNpy',
    parseNpy,
    [undefined, 'a.npy'],
    /^a\.npy is not a valid \.npy file: its bytes are not a Uint8Array/,
  ],
  [
    'compile',
    compile,
    [],
    /^The argument algorithm is missing or invalid: expected an algorithm, as findAlgorithm returns\.$/,
  ],
  [
    'compile',
    compile,
    [{ algorithm: strassen }],
    /^size m must be a whole number from 0 to 2147483647, but is undefined/,
  ],
  [
    'compile',
    compile,
    [{ algorithm: strassen, shape, fringe: 'x' }],
    /^Unknown fringe "x"\. Known: pad, peel\.$/,
  ],
  ['compile', compile, [{ algorithm: strassen, shape, tail: 'msak' }], /Did you mean "mask"\?/],
  ['compile', compile, [{ algorithm: strassen, shape, tile: { m: 0, k: 1, n: 1 } }], /^tile m must be/],
  ['findAlgorithm', findAlgorithm, [], /^Unknown algorithm "undefined"/],
  ['find', precisions.find, [], /^Unknown precision "undefined"/],
  [
    'generate',
    findInput('uniform').generate,
    [{ m: -1, k: 2, n: 2, seed: 1 }],
    /^The size m must be .*, but is -1\.$/,
  ],
  ['generate', findInput('uniform').generate, [], /^The size m must be/],
  ['analyze', analyze, [plan, short, whole, computation], /^A cannot be used/],
  [
    'analyze',
    analyze,
    [plan, whole, matrix(2, 1, Float32Array.of(1, 2)), computation],
    /the plan multiplies 2×2 by 2×2/,
  ],
  ['runModel', runModel, [plan, whole, whole], /^The argument computation is missing or invalid: expected /],
  ['parseCase', parseCase, [5], /^The case "5" cannot be read: it is not a string/],
  ['readResults', readResults, [], /^The text is not a readable results file: it is not text/],
  ['openAdapter', openAdapter, [], /^No GPU adapter was found on this machine/],
];

it.each(calls)('%s refuses what it cannot use with a problem', async (_, call, args, message) => {
  const refused = await (async () => (call as Loose)(...args))().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ParanoiaError);
  expect((refused as ParanoiaError).message).toMatch(message);
});
