import type { Item } from '../../src/base/registry.ts';
import type { Ask } from './ask.ts';
import type { Compared } from './compared.ts';

/** A place in the source of a test suite: what is told of it here is what stands there. */
export interface Citation {
  /** Owner and name on GitHub, or the package that was read. */
  readonly repository: string;
  readonly file: string;
  readonly line: number;
  /** The commit, or the version of the package. */
  readonly commit: string;
  /** What stands there, in a clause. */
  readonly says: string;
}

/** What a grader knows of the kernel that it tests. */
export interface Tested {
  /** The name of its precision. */
  readonly precision: string;
}

/** A check of matrix products by others, told anew from its source. */
export interface Grader extends Item {
  readonly cites: readonly Citation[];
  /** What its default run asks for, in a sentence. */
  readonly asked: string;
  /** What it cannot see, however the kernel is wrong there, a clause each. */
  readonly blind: readonly string[];
  /** The products of its default run, in their order. */
  asks(tested: Tested): readonly Ask[];
  /** What expected entries are computed in: binary64, or as the kernel promises to, one term after the other. */
  readonly reference: 'binary64' | 'same';
  /** Whether results are rounded to the format of the operands before they are compared, as tensors of one type are. */
  readonly rounds: boolean;
  /** What lies between the lines of its matrices. */
  readonly gaps: number;
  /** Whether operands and what lies between the lines of D are compared afterwards. */
  readonly guards: boolean;
  /** Whether a product passes. */
  passes(compared: Compared): boolean;
}
