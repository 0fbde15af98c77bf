import type { JudgingItems } from '../evidence/items.ts';
import { type KernelCatalog, makeKernelCatalog } from '../kernels/kernel-catalog.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';

/** All items that a run can name. It is made once of built-in and the user's items, and handed down. */
export type RunCatalog<I extends JudgingItems = JudgingItems> = KernelCatalog & I;

/**
 * Makes the catalog of a run.
 * @param kernels kernels besides the built-in ones, already checked.
 * @param ofLibraries kernels of other libraries, which come with the package. @defaultValue none
 * @throws ParanoiaError `bad-kernel` for two kernels of one name.
 */
export const makeRunCatalog = <I extends JudgingItems>(
  kernels: readonly UserKernel[],
  items: I,
  ofLibraries: readonly UserKernel[] = [],
): RunCatalog<I> => ({ ...items, ...makeKernelCatalog(kernels, items, ofLibraries) });
