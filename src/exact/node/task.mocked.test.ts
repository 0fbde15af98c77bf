import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { matrix, type RealArray } from '../../matrix/dense.ts';
import { readOperands } from '../operands.ts';
import { type ExactTask, fromMessage, toMessage } from './task.ts';

/**
 * The largest arrays. They take no memory before they are written, but meanwhile the process can start no other: within 48 GiB fork
 * fails.
 */
const LARGEST = 2 ** 32;
const small = matrix(1, 1, new Float32Array(1));

/** Returns a task as a thread receives it. */
function posted(task: ExactTask): ExactTask {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(toMessage(task));
  const { message } = receiveMessageOnPort(port2) as { message: Parameters<typeof fromMessage>[0] };
  port1.close();
  return fromMessage(message);
}

function marked<T extends RealArray>(data: T): T {
  data[data.length - 1] = 7;
  return data;
}

it.each([
  ['f32', (bytes: number) => new Float32Array(new SharedArrayBuffer(bytes))],
  ['f64', (bytes: number) => new Float64Array(new SharedArrayBuffer(bytes))],
])('threads get operands and products of 2^32 bytes whole: %s', (_, allocate) => {
  for (const bytes of [64, LARGEST - 8, LARGEST, LARGEST + 8]) {
    const operand = marked(allocate(bytes));
    const product = marked(new Float64Array(new SharedArrayBuffer(bytes)));
    const { operands, value, low } = posted({
      operands: { ...readOperands(small, small), a: operand, b: operand },
      engine: 'typescript',
      handedOut: new Int32Array(new SharedArrayBuffer(4)),
      start: 0,
      ...{ rows: 1, cols: 1, value: product, low: product },
    });
    for (const [got, given] of [
      [operands.a, operand],
      [operands.b, operand],
      [value, product],
      [low, product],
    ]) {
      expect([got.constructor, got.length, got[got.length - 1]]).toEqual([
        given.constructor,
        given.length,
        7,
      ]);
    }
  }
});
