import { isObject, lookUp } from '../../base/objects.ts';
import { type FunctionKernel, type UserKernel, ways } from '../user-kernel.ts';

import { chooseKernel } from './choose.ts';
import type { FileOrigin } from './file-origin.ts';

type Exports = Readonly<Record<string, unknown>>;

/**
 * Returns a kernel that a module of JavaScript or TypeScript exports: a function `(a, b, { m, k, n }) => c` of A·B alone, or the result of
 * `defineKernel`, which may state more.
 * @throws ParanoiaError `no-kernel-in`
 */
export function exportedKernel(origin: FileOrigin, module: unknown): UserKernel {
  const { name, ways } = origin;
  const kernels = kernelsIn(module);
  const chosen = chooseKernel(origin, Object.keys(kernels), { what: 'exported function', usual: 'default' });
  const found = lookUp(kernels, chosen);
  if (typeof found !== 'function') return { ...(found as UserKernel), name };
  return { name, precision: ways.precision, multiply: found as FunctionKernel['multiply'] };
}

/** Returns the exports that multiply, by name; those of a CommonJS module are the parts of its default. */
function kernelsIn(module: unknown): Exports {
  const exported = isObject(module) ? module : {};
  const parts = isObject(exported.default) && !isKernel(exported.default) ? exported.default : {};
  return Object.fromEntries(Object.entries({ ...parts, ...exported }).filter(([, value]) => isKernel(value)));
}

const isKernel = (value: unknown) =>
  typeof value === 'function' || (isObject(value) && ways.some((way) => way in value));
