import type { Item } from '../../src/base/registry.ts';
import type { GraderRequest } from './ask.ts';
import type { ExpectedComparison } from './expected-comparison.ts';

/** A citation of a test suite's source, which supports a statement here. */
export interface Citation {
  /** Owner and name on GitHub, or the name of the package. */
  readonly repository: string;
  readonly file: string;
  readonly line: number;
  /** The commit, or the version of the package. */
  readonly commit: string;
  /** The cited statement, in a clause. */
  readonly says: string;
}

/** Facts about the kernel under test that a grader knows. */
export interface TestedKernel {
  /** The name of its precision. */
  readonly precision: string;
}

/** A third party's check of matrix products, reimplemented from its source. */
export interface Grader extends Item {
  readonly cites: readonly Citation[];
  /** The products of its default run, in a sentence. */
  readonly asked: string;
  /** Faults that it cannot detect, a clause each. */
  readonly blind: readonly string[];
  /** The products of its default run, in their order. */
  asks(tested: TestedKernel): readonly GraderRequest[];
  /** The arithmetic of expected entries: binary64, or as the kernel promises, sequentially. */
  readonly reference: 'binary64' | 'same';
  /** True if results are rounded to the format of the operands before comparison, as tensors of one type are. */
  readonly rounds: boolean;
  /** The value in gaps between the lines of its matrices. */
  readonly gaps: number;
  /** True if operands and the gaps of D are compared afterwards. */
  readonly guards: boolean;
  /** True if a product passes. */
  passes(compared: ExpectedComparison): boolean;
}
