import { parentPort } from 'node:worker_threads';
import type { Shape } from '../../matrix/dense.ts';
import { type Certificate, mergeCertificates } from '../exact-product.ts';
import { magnitudeWriter } from '../magnitudes.ts';
import { profileShare } from '../operands.ts';
import { findUnroundedBlocks } from '../postcondition.ts';
import { ReferenceFault } from '../rounded.ts';
import { blockSolver } from '../solver.ts';
import type { ResultBlock } from '../sums.ts';
import {
  type AnyTaskMessage,
  type ExactTask,
  type ExactTaskReply,
  fromMagnitudeMessage,
  fromMessage,
  fromProfileMessage,
  fromRoundingMessage,
  type SharedBlocks,
  type TouchTask,
} from './task.ts';

parentPort?.on('message', (message: AnyTaskMessage) => {
  if ('touched' in message) return touch(message);
  if ('share' in message) {
    const { operands, share } = fromProfileMessage(message);
    parentPort?.postMessage(profileShare(operands, share));
  } else if ('sizes' in message) {
    const task = fromMagnitudeMessage(message);
    const write = magnitudeWriter(task.operands, task);
    for (const block of takeBlocks(task, task.operands.shape)) write(block);
  } else if ('first' in message) {
    const { first, step, ...entries } = fromRoundingMessage(message);
    parentPort?.postMessage(findUnroundedBlocks(entries, first, step));
  } else parentPort?.postMessage(answerTo(fromMessage(message)));
});

/** The least page of a system. Larger pages are touched several times. */
const PAGE_BYTES = 4096;

/** Touches pages without changing them, whatever is written meanwhile. */
function touch({ touched, first, step }: TouchTask): void {
  const words = new Int32Array(touched);
  const page = PAGE_BYTES / words.BYTES_PER_ELEMENT;
  const each = Math.ceil(words.length / step / page) * page;
  const end = Math.min((first + 1) * each, words.length);
  for (let word = first * each; word < end; word += page) Atomics.or(words, word, 0);
}

/** Answers a task. A fault becomes part of the answer, since errors lose their class between threads. */
function answerTo(task: ExactTask): ExactTaskReply {
  try {
    return { certificate: solveBlocks(task) };
  } catch (error) {
    if (error instanceof ReferenceFault) return { wrong: error.what };
    throw error;
  }
}

/** Computes blocks of the product until none are left. */
function solveBlocks(task: ExactTask): Certificate {
  const { operands, engine, value, low } = task;
  const solve = blockSolver(operands, engine);
  const parts: Certificate[] = [];
  for (const block of takeBlocks(task, operands.shape)) parts.push(solve(block, { value, low, firstRow: 0 }));
  return mergeCertificates(parts);
}

/** Takes blocks, first those of the worker's own group, until none are left. */
function* takeBlocks(
  { handedOut, start, rows, cols }: SharedBlocks,
  { m, n }: Shape,
): Generator<ResultBlock> {
  const across = Math.ceil(n / cols);
  for (let at = 0; at < handedOut.length; at++) {
    const group = (start + at) % handedOut.length;
    const [i0, i1] = [group * rows, Math.min((group + 1) * rows, m)];
    for (;;) {
      const taken = Atomics.add(handedOut, group, 1);
      if (taken >= across) break;
      yield { i0, i1, j0: taken * cols, j1: Math.min((taken + 1) * cols, n) };
    }
  }
}
