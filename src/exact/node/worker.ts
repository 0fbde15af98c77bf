import { parentPort } from 'node:worker_threads';
import type { Shape } from '../../matrix/dense.ts';
import { type Certificate, mergeCertificates } from '../certificate.ts';
import { magnitudeWriter } from '../magnitudes.ts';
import { ReferenceFault } from '../rounded.ts';
import { blockSolver } from '../solver.ts';
import type { ResultBlock } from '../sums.ts';
import {
  type AnyTaskMessage,
  type ExactTask,
  type ExactTaskReply,
  fromMagnitudeMessage,
  fromMessage,
  type SharedBlocks,
} from './task.ts';

parentPort?.on('message', (message: AnyTaskMessage) => {
  if ('sizes' in message) {
    const task = fromMagnitudeMessage(message);
    const write = magnitudeWriter(task.operands, task);
    for (const block of takeBlocks(task, task.operands.shape)) write(block);
  } else parentPort?.postMessage(answerTo(fromMessage(message)));
});

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

/** Takes blocks, row by row, until none are left. */
function* takeBlocks({ handedOut, rows, cols }: SharedBlocks, { m, n }: Shape): Generator<ResultBlock> {
  const across = Math.ceil(n / cols);
  for (;;) {
    const taken = Atomics.add(handedOut, 0, 1);
    const i0 = Math.floor(taken / across) * rows;
    const j0 = (taken % across) * cols;
    if (i0 >= m) return;
    yield { i0, i1: Math.min(i0 + rows, m), j0, j1: Math.min(j0 + cols, n) };
  }
}
