import { parentPort } from 'node:worker_threads';
import { ReferenceFault } from '../../exact/rounded.ts';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import { claimedComputation } from '../given-product.ts';
import { answerPieces, type LargePiece } from '../large.ts';
import type { LargeProduct } from '../projection.ts';
import { type LargeMessage, type LargeReply, receiveMatrix, type SentProduct } from './large-task.ts';

let answer: (piece: LargePiece) => unknown;

parentPort?.on('message', (message: LargeMessage) => {
  if ('product' in message) answer = answerPieces(productOf(message.product));
  else parentPort?.postMessage(replyTo(message.piece));
});

function replyTo(piece: LargePiece): LargeReply {
  try {
    return { answer: answer(piece) };
  } catch (error) {
    if (error instanceof ReferenceFault) return { wrong: error.what, shape: error.shape };
    throw error;
  }
}

function productOf({ a, b, c, d, seed, tasks, arithmetic, ...rest }: SentProduct): LargeProduct {
  const computation = claimedComputation(arithmetic, builtinCaseItems);
  const operands = { a: receiveMatrix(a), b: receiveMatrix(b), c: c && receiveMatrix(c), seed };
  const { claims } = arithmetic;
  return {
    ...{ ...rest, operands, computed: receiveMatrix(d) },
    tasks: tasks.map(({ fast }) => ({ computation, convention: claims, fast })),
  };
}
