// A kernel in a Node process that starts once: the protocol without any library. It computes A·B of dense matrices. A kernel that
// accepts more also gets problem.batch, alpha and beta, and C.npy after B.npy if beta is not 0. A matrix with gaps, or a batch, is
// a list of one dimension with all of its memory; problem.a, b and c have its op, order, ld, offset and stride.
import { exit, stdin, stdout } from 'node:process';

const chunks = stdin.iterator();
let held = Buffer.alloc(0);

/** Returns the next part of the input; its length follows from the bytes received so far. */
async function take(lengthOf) {
  for (;;) {
    const length = lengthOf(held);
    if (length > 0 && held.length >= length) {
      const part = held.subarray(0, length);
      held = held.subarray(length);
      return part;
    }
    const { value, done } = await chunks.next();
    if (done) exit();
    held = Buffer.concat([held, value]);
  }
}

const takeLine = () => take((bytes) => bytes.indexOf('\n') + 1);

/** Reads the entries of a row-major .npy file of binary32. They follow the header, whose length is in bytes 8 and 9. */
async function takeMatrix(bytes) {
  const file = await take(() => bytes);
  return new Float32Array(Uint8Array.from(file.subarray(10 + file.readUInt16LE(8))).buffer);
}

/** Returns a .npy file of binary32 entries, which start at a multiple of 64 bytes. */
function npy(entries, m, n) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${m}, ${n}), }`;
  const length = Math.ceil((10 + header.length + 1) / 64) * 64 - 10;
  const start = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1');
  start.writeUInt16LE(length, 8);
  return Buffer.concat([start, Buffer.from(`${header.padEnd(length - 1)}\n`), Buffer.from(entries.buffer)]);
}

function multiply(a, b, { m, k, n }) {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      // Storing the sum rounds it to binary32.
      for (let j = 0; j < n; j++) c[i * n + j] += Math.fround(a[i * k + p] * b[p * n + j]);
    }
  }
  return c;
}

const answer = (line) => stdout.write(`${JSON.stringify(line)}\n`);

// A worker that answers pings is blamed only for leftovers of its own products.
answer({ ready: true, versions: { node: process.version }, pings: true });
for (;;) {
  const { ping, id, problem, ...bytes } = JSON.parse(await takeLine());
  if (ping !== undefined) {
    answer({ pong: ping });
    continue;
  }
  const a = await takeMatrix(bytes.a);
  const b = await takeMatrix(bytes.b);
  const d = npy(multiply(a, b, problem), problem.m, problem.n);
  answer({ id, d: d.length });
  stdout.write(d);
}
