import { parentPort } from 'node:worker_threads';
import { type Certificate, mergeCertificates } from '../certificate.ts';
import { rowSolver } from '../exact.ts';
import type { Answer, Task } from './task.ts';

parentPort?.on('message', (task: Task) => {
  const answer: Answer = { certificate: takeRows(task) };
  parentPort?.postMessage(answer);
});

/** Takes rows of the product until none are left. */
function takeRows({ operands, handedOut, rowsAtATime, value, low }: Task): Certificate {
  const { m, n } = operands.shape;
  const solve = rowSolver(operands);
  const parts: Certificate[] = [];
  for (;;) {
    const begin = Atomics.add(handedOut, 0, rowsAtATime);
    if (begin >= m) return mergeCertificates(parts);
    const end = Math.min(begin + rowsAtATime, m);
    parts.push(solve(begin, end, value.subarray(begin * n, end * n), low.subarray(begin * n, end * n)));
  }
}
