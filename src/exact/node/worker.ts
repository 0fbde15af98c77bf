import { parentPort } from 'node:worker_threads';
import { type Certificate, mergeCertificates } from '../certificate.ts';
import { ReferenceFault } from '../rounded.ts';
import { blockSolver } from '../solver.ts';
import { type ExactTask, type ExactTaskReply, fromMessage, type TaskMessage } from './task.ts';

parentPort?.on('message', (message: TaskMessage) => {
  parentPort?.postMessage(answerTo(fromMessage(message)));
});

/** Answers a task. A fault becomes part of the answer, since errors lose their class between threads. */
function answerTo(task: ExactTask): ExactTaskReply {
  try {
    return { certificate: takeBlocks(task) };
  } catch (error) {
    if (error instanceof ReferenceFault) return { wrong: error.what };
    throw error;
  }
}

/** Computes blocks of the product until none are left. */
function takeBlocks({ operands, engine, handedOut, rows, cols, value, low }: ExactTask): Certificate {
  const { m, n } = operands.shape;
  const across = Math.ceil(n / cols);
  const solve = blockSolver(operands, engine);
  const parts: Certificate[] = [];
  for (;;) {
    const taken = Atomics.add(handedOut, 0, 1);
    const i0 = Math.floor(taken / across) * rows;
    const j0 = (taken % across) * cols;
    if (i0 >= m) return mergeCertificates(parts);
    const block = { i0, i1: Math.min(i0 + rows, m), j0, j1: Math.min(j0 + cols, n) };
    parts.push(solve(block, { value, low, firstRow: 0 }));
  }
}
