import { checkKernel } from '../kernels/check-kernel.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { NamedConfig } from './config.ts';

/**
 * The kernels that a config brings, checked.
 * @throws what `explain` makes of the problem `bad-kernel`.
 */
export function ownKernels(
  { kernels = [] }: NamedConfig,
  explain: (option: string, error: Error) => Error = (_, error) => error,
): UserKernel[] {
  return kernels.flatMap((given, at) => {
    if (typeof given === 'string') return [];
    try {
      return [checkKernel(given)];
    } catch (error) {
      throw explain(`kernels[${at}]`, error as Error);
    }
  });
}
