// ONNX Runtime's products of few bits on the processor: MatMulNBits, MatMulInteger, QLinearMatMul. The package onnxruntime-node is
// that of the project it is run in.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { InferenceSession, Tensor } = createRequire(join(process.cwd(), 'index.js'))('onnxruntime-node');

/** Types of tensors (TensorProto.DataType). */
const [FLOAT, UINT8, INT8, INT32] = [1, 2, 3, 6];

// Fields of onnx.proto3, by their numbers.
const varint = (x) => (x < 128 ? [x] : [(x % 128) + 128, ...varint(Math.floor(x / 128))]);
const number = (field, x) => Buffer.from([...varint(field * 8), ...varint(x)]);
const bytes = (field, ...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(body.length)]), body]);
};
const text = (field, x) => bytes(field, Buffer.from(x));
const tensor = (name, type, sizes, data) =>
  bytes(
    5,
    ...sizes.map((size) => number(1, size)),
    number(2, type),
    text(8, name),
    bytes(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
  );
const value = (field, name, type, sizes) =>
  bytes(
    field,
    text(1, name),
    bytes(2, bytes(1, number(1, type), bytes(2, ...sizes.map((size) => bytes(1, number(1, size)))))),
  );
const attribute = ([name, x]) => bytes(5, text(1, name), number(3, x), number(20, 2));

/** A model of one node: Y of A, and of tensors that are part of it, so that they are packed as those of a real model. */
function model({ operator, domain = '', attributes = {}, a, rest, y }) {
  const node = bytes(
    1,
    ...['A', ...rest.map(([name]) => name)].map((name) => text(1, name)),
    text(2, 'Y'),
    text(4, operator),
    ...Object.entries(attributes).map(attribute),
    ...(domain === '' ? [] : [text(7, domain)]),
  );
  const graph = bytes(7, node, text(2, 'product'), ...rest.map((one) => tensor(...one)), value(11, 'A', ...a), value(12, 'Y', ...y));
  const sets = [bytes(8, text(1, ''), number(2, 21)), ...(domain === '' ? [] : [bytes(8, text(1, domain), number(2, 1))])];
  return Buffer.concat([number(1, 10), graph, ...sets]);
}

async function run(described, type, data) {
  const session = await InferenceSession.create(model(described), { intraOpNumThreads: 1, logSeverityLevel: 3 });
  const { Y } = await session.run({ A: new Tensor(type, data, described.a[1]) });
  await session.release();
  return Y.data;
}

/** Weights in blocks of 32 along k, as MatMulNBits has them: the low nibble first. `level` 4 asks for activations in int8. */
const nbits = (bits, level, claims = {}) => ({
  precision: `nbits${bits}`,
  claims,
  async multiply(a, b, { m, k, n }, _c, d, { b: { scales, zeros } }) {
    const blocks = Math.ceil(k / 32);
    const per = 32 / (8 / bits);
    const quants = new Uint8Array(n * blocks * per);
    for (let j = 0; j < n; j++)
      for (let p = 0; p < k; p++) {
        const at = j * blocks * 32 + p;
        if (bits === 8) quants[at] = b[p * n + j];
        else quants[at >> 1] |= b[p * n + j] << (4 * (at & 1));
      }
    const points = new Uint8Array(bits === 8 ? n * blocks : n * Math.ceil(blocks / 2));
    for (let j = 0; j < n; j++)
      for (let q = 0; q < blocks; q++) {
        const zero = zeros[j * blocks + q];
        if (bits === 8) points[j * blocks + q] = zero;
        else points[j * Math.ceil(blocks / 2) + (q >> 1)] |= zero << (4 * (q & 1));
      }
    const out = await run(
      {
        operator: 'MatMulNBits',
        domain: 'com.microsoft',
        attributes: { K: k, N: n, bits, block_size: 32, accuracy_level: level },
        a: [FLOAT, [m, k]],
        rest: [
          ['B', UINT8, [n, blocks, per], quants],
          ['scales', FLOAT, [n * blocks], Float32Array.from(scales[0])],
          ['zeros', UINT8, [points.length], points],
        ],
        y: [FLOAT, [m, n]],
      },
      'float32',
      Float32Array.from(a),
    );
    d.set(out);
    return d;
  },
});

export const nbits4 = nbits(4, 1);
export const nbits4_int8 = nbits(4, 4);
export const nbits8 = nbits(8, 1);
export const nbits8_int8 = nbits(8, 4);

/** The same, with the claim that activations are quantized and zero points are subtracted from sums. */
const quantized = { activations: { scheme: 'int8-block' }, arithmetic: { zeroPoints: 'last', subnormals: 'kept' } };
export const nbits4_int8_claimed = nbits(4, 4, quantized);
export const nbits8_int8_claimed = nbits(8, 4, quantized);

const wholeNumbers = { int8: [INT8, Int8Array], uint8: [UINT8, Uint8Array] };

/** MatMulInteger, exact in 32 bits. */
const integers = (left) => ({
  precision: `${left}-i32`,
  async multiply(a, b, { m, k, n }, _c, d) {
    const [type, Numbers] = wholeNumbers[left];
    const out = await run(
      {
        operator: 'MatMulInteger',
        a: [type, [m, k]],
        rest: [['B', INT8, [k, n], Int8Array.from(b)]],
        y: [INT32, [m, n]],
      },
      left,
      Numbers.from(a),
    );
    d.set(out);
    return d;
  },
});

export const matmul_integer = integers('int8');
export const matmul_integer_uint8 = integers('uint8');

/** QLinearMatMul brings its sums back to 8 bits: here with the factor that just holds the largest, by which D is multiplied again. */
export const qlinear_matmul = {
  precision: 'int8-tensor',
  async multiply(a, b, { m, k, n }, _c, d, factors) {
    const [sa, sb] = [factors.a.scales[0][0], factors.b.scales[0][0]];
    let most = 1;
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let p = 0; p < k; p++) sum += a[i * k + p] * b[p * n + j];
        most = Math.max(most, Math.abs(sum));
      }
    const sy = Math.fround((most * sa * sb) / 127);
    const zero = Int8Array.of(0);
    const scale = (x) => Float32Array.of(x);
    const out = await run(
      {
        operator: 'QLinearMatMul',
        a: [INT8, [m, k]],
        rest: [
          ['sa', FLOAT, [], scale(sa)],
          ['za', INT8, [], zero],
          ['B', INT8, [k, n], Int8Array.from(b)],
          ['sb', FLOAT, [], scale(sb)],
          ['zb', INT8, [], zero],
          ['sy', FLOAT, [], scale(sy)],
          ['zy', INT8, [], zero],
        ],
        y: [INT8, [m, n]],
      },
      'int8',
      Int8Array.from(a),
    );
    for (let at = 0; at < d.length; at++) d[at] = out[at] * sy;
    return d;
  },
};
