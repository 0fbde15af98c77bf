import type { ParanoiaError } from '../base/errors.ts';
import { kernelErrsInSweep } from '../kernels/messages.ts';
import type { Case } from '../problem/case.ts';

/** A wrong product of a sweep, as the cause of the error of its sweep. */
export class WrongSweptProduct extends Error {
  /** The case of the product alone. */
  readonly product: Case;
  /** The error of the product alone; undefined where it was not asked alone, or is wrong without an error. */
  readonly alone: ParanoiaError | undefined;
  /** Its place in the sweep, from 1. */
  private readonly number: number;

  constructor(product: Case, number: number, why: string | ParanoiaError) {
    super(typeof why === 'string' ? why : why.message);
    this.product = product;
    this.alone = typeof why === 'string' ? undefined : why;
    this.number = number;
  }

  /** Returns the error of the sweep. @param isRightAlone true if the product was then right alone. @defaultValue not known */
  errorOf(isRightAlone = false): ParanoiaError {
    const { kernel, problem } = this.product;
    const { m, k, n } = problem;
    const which = `product ${this.number}, ${m}×${k}×${n}`;
    return kernelErrsInSweep({ kernel, which, why: this.message, isRightAlone }, this);
  }
}
