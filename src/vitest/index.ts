/**
 * Matchers, arbitraries and laws for Vitest. Importing this module, in a test or in a setup file, extends `expect`.
 */
import { expect } from 'vitest';
import type { Grade } from '../evidence/grade.ts';
import type { ProductOptions } from '../evidence/judge-product.ts';
import { type GateMatcherOptions, toPassGate } from './gate.ts';
import { toBeGrade } from './grade.ts';
import type { GradeOptions } from './node/grade-kernels.ts';
import type { MatrixLike } from './operand.ts';
import { toBeProductOf } from './product.ts';

export type { Grade } from '../evidence/grade.ts';
export type { ProductOptions } from '../evidence/judge-product.ts';
export * from './arbitraries.ts';
export type { Arbitraries, LawOptions, Property } from './check-law.ts';
export type { GateMatcherOptions } from './gate.ts';
export { type Law, law } from './law.ts';
export type { GradeOptions } from './node/grade-kernels.ts';
export type { MatrixLike } from './operand.ts';
export type { MatcherResult, MatcherState } from './state.ts';
export { toBeGrade, toBeProductOf, toPassGate };

interface OurMatchers {
  /** Whether C is the product of A and B within what the claimed algorithm may err. */
  toBeProductOf(a: MatrixLike, b: MatrixLike, options?: ProductOptions): void;
  /** Whether a kernel passes the gate; to be awaited. */
  toPassGate(options?: GateMatcherOptions): Promise<void>;
  /** Whether a kernel reaches a grade or a better one; to be awaited. */
  toBeGrade(grade: Grade, options?: GradeOptions): Promise<void>;
}

// Vitest's own Matchers has a parameter in version 4 and two in version 5, and a declaration to be merged with it must have
// the same. Chai's assertion, on which every version puts matchers, has none.
declare global {
  namespace Chai {
    interface Assertion extends OurMatchers {}
  }
}
declare module 'vitest' {
  interface AsymmetricMatchersContaining extends OurMatchers {}
}

expect.extend({ toBeProductOf, toPassGate, toBeGrade });
