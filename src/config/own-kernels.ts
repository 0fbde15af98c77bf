import type { CaseItems } from '../kernels/case-items.ts';
import { checkKernel } from '../kernels/check-kernel.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { NamedConfig } from './config.ts';

/**
 * The kernels that a config brings, checked.
 * @param items what they may name.
 * @param explain makes the error to throw of the problem `bad-kernel`; undefined where the kernel is left out.
 * @throws what `explain` makes
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
