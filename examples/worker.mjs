// A kernel in a Node process that is started once: an example of the protocol without any library.
import { stdin, stdout } from 'node:process';

/** Reads lines and bytes from standard input, as they come. */
async function* reader(want) {
  let held = Buffer.alloc(0);
  for await (const chunk of stdin) {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const end = typeof want.next === 'number' ? want.next : held.indexOf('\n') + 1;
      if (end === 0 || held.length < end) break;
      const part = held.subarray(0, end);
      held = held.subarray(end);
      yield part;
    }
  }
}

/** The entries of a .npy file of binary32, row by row: they follow the header, whose length is in bytes 8 and 9. */
function load(npy) {
  const bytes = npy.subarray(10 + npy.readUInt16LE(8));
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

/** A .npy file of binary32 entries: the header ends with a line end, at a multiple of 64 bytes. */
function save(entries, m, n) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${m}, ${n}), }`;
  const length = Math.ceil((10 + header.length + 1) / 64) * 64 - 10;
  const start = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1');
  start.writeUInt16LE(length, 8);
  return Buffer.concat([start, Buffer.from(`${header.padEnd(length - 1)}\n`), Buffer.from(entries.buffer)]);
}

function product(a, b, { m, k, n }) {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let p = 0; p < k; p++) sum = Math.fround(sum + Math.fround(a[i * k + p] * b[p * n + j]));
      c[i * n + j] = sum;
    }
  }
  return c;
}

stdout.write(`${JSON.stringify({ ready: true, versions: { node: process.version } })}\n`);

const want = { next: 'line' };
const parts = reader(want);
for (;;) {
  want.next = 'line';
  const { value: line, done } = await parts.next();
  if (done) break;
  const request = JSON.parse(line.toString());
  want.next = request.a;
  const a = load((await parts.next()).value);
  want.next = request.b;
  const b = load((await parts.next()).value);
  const c = save(product(a, b, request), request.m, request.n);
  stdout.write(`${JSON.stringify({ id: request.id, c: c.length })}\n`);
  stdout.write(c);
}
