import type { CaseItems } from '../kernels/case-items.ts';
import { checkKernel } from '../kernels/check-kernel.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { NamedConfig } from './config.ts';

/**
 * Returns the kernels that a config defines, checked.
 * @param items items that the kernels may name
 * @param explain makes the error to throw from the error `bad-kernel`, or undefined to leave the kernel out
 * @throws the error that `explain` makes
 */
export function ownKernels(
  { kernels = [] }: NamedConfig,
  items: CaseItems,
  explain: (option: string, error: Error) => Error | undefined = (_, error) => error,
): UserKernel[] {
  return kernels.flatMap((given, at) => {
    if (typeof given === 'string') return [];
    try {
      return [checkKernel(given, items)];
    } catch (error) {
      const told = explain(`kernels[${at}]`, error as Error);
      if (told !== undefined) throw told;
      return [];
    }
  });
}
