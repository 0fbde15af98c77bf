import type { ParanoiaError } from '../base/errors.ts';
import type { ProductRequest } from './answer.ts';
import { kernelHangs, kernelIsSlow } from './messages.ts';

/** The multiplications from which the time of a product tells the pace of a kernel, and not the cost of a call. */
const TELLS = 2 ** 20;

/** Large products may be so many times slower, for their entries fit no cache. */
const SLOWER = 2;

const workOf = ({ m, k, n, batch }: ProductRequest['shape']) => m * k * n * batch;

/** The pace of a kernel, by which a slow product is told from one that never ends. */
export class Pace {
  /** Multiplications a second, of the fastest product. */
  private fastest = 0;

  add(shape: ProductRequest['shape'], seconds: number): void {
    const work = workOf(shape);
    if (work >= TELLS) this.fastest = Math.max(this.fastest, work / seconds);
  }

  /** Returns the error of a product without an answer within its limit: the fault is the kernel's unless it was too slow before. */
  late(asked: ProductRequest, seconds: number): ParanoiaError {
    const expected = this.fastest === 0 ? 0 : workOf(asked.shape) / this.fastest;
    return SLOWER * expected < seconds
      ? kernelHangs({ ...asked, seconds })
      : kernelIsSlow({ ...asked, seconds, expected });
  }
}
