/**
 * Matchers, arbitraries and laws for Vitest. Importing this module, in a test or in a setup file, extends `expect`.
 */
import { expect } from 'vitest';
import type { Grade } from '../evidence/grade.ts';
import type { ProductOptions } from '../evidence/judge-product.ts';
import { type GateMatcherOptions, toBeGrade, toBeProductOf, toPassGate } from './matchers.ts';
import type { GradeOptions } from './node/grade-kernels.ts';
import type { MatrixLike } from './operand.ts';

export type { Grade } from '../evidence/grade.ts';
export type { ProductOptions } from '../evidence/judge-product.ts';
export * from './arbitraries.ts';
export type { Arbitraries, LawOptions, Property } from './check-law.ts';
export { type Law, law } from './check-law.ts';
export type { GateMatcherOptions } from './matchers.ts';
export type { MatcherResult, MatcherState } from './message.ts';
export type { GradeOptions } from './node/grade-kernels.ts';
export type { MatrixLike } from './operand.ts';
export { toBeGrade, toBeProductOf, toPassGate };

interface OurMatchers {
  /** Passes if C is the product of A and B within the error bound of the claimed algorithm. */
  toBeProductOf(a: MatrixLike, b: MatrixLike, options?: ProductOptions): void;
  /** Passes if a kernel passes the gate; must be awaited. */
  toPassGate(options?: GateMatcherOptions): Promise<void>;
  /** Passes if a kernel reaches a grade or a better one; must be awaited. */
  toBeGrade(grade: Grade, options?: GradeOptions): Promise<void>;
}

// Vitest's own Matchers has one type parameter in version 4 and two in version 5, and merged declarations must agree. Chai's
// assertion has none, and every version adds its matchers to it.
declare global {
  namespace Chai {
    interface Assertion extends OurMatchers {}
  }
}
declare module 'vitest' {
  interface AsymmetricMatchersContaining extends OurMatchers {}
}

expect.extend({ toBeProductOf, toPassGate, toBeGrade });
