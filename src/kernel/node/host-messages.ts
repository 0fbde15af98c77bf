import type { Execution } from '../../gpu/execution.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { Problem, type ProblemCode, problem } from '../../problems.ts';
import { reasonOf } from '../thrown.ts';
import type { Call } from '../user-kernel.ts';

/** Where a host finds its kernel: a module that exports `locate(args)`, a function that gives a promise of a session. */
export interface Locator {
  /** The address of the module, `file://…`. */
  readonly module: string;
  /** Whatever structured cloning copies. */
  readonly args: unknown;
}

/** What a host is told. */
export type ToHost =
  | { readonly tell: 'open'; readonly name: string; readonly locator: Locator }
  | {
      readonly tell: 'multiply';
      readonly id: number;
      readonly a: Matrix;
      readonly b: Matrix;
      readonly call: Call;
    }
  | { readonly tell: 'close' };

/** What a host tells. */
export type FromHost =
  | { readonly tell: 'ready'; readonly versions: Readonly<Record<string, string>> }
  | { readonly tell: 'begun'; readonly id: number }
  | { readonly tell: 'product'; readonly id: number; readonly execution: Execution }
  | { readonly tell: 'problem'; readonly id: number; readonly problem: Written }
  | { readonly tell: 'unopened'; readonly problem: Written }
  | { readonly tell: 'uncaught'; readonly why: string };

/** A problem as it travels. */
export interface Written {
  readonly code: ProblemCode;
  readonly message: string;
}

/** @returns the problem, or for any other error that of a kernel that threw it. */
export function written(error: unknown, kernel: string): Written {
  const { code, message } =
    error instanceof Problem ? error : problem('kernel-threw', { kernel, why: reasonOf(error) });
  return { code, message };
}

export function readWritten({ code, message }: Written): Problem {
  return new Problem(code, message);
}
