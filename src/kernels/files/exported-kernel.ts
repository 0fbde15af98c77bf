import { byDistance } from '../../base/nearest.ts';
import { isObject, lookUp } from '../../base/objects.ts';
import { noKernelIn } from '../messages.ts';
import { type FunctionKernel, type UserKernel, ways } from '../user-kernel.ts';
import type { FileOrigin } from './file-origin.ts';

/** The most names that a message lists. */
const MOST = 8;

/**
 * Chooses a kernel of a file: the one that is named, else the one of the usual name, else the only one.
 * @param known the names of all kernels in the file.
 * @param what their kind, for messages: "exported function".
 * @throws ParanoiaError `no-kernel-in`, which lists the known names
 */
export function chooseKernel(
  { file, symbol }: Pick<FileOrigin, 'file' | 'symbol'>,
  known: readonly string[],
  { what, usual }: { readonly what: string; readonly usual: string },
): string {
  const wanted = symbol ?? (known.length === 1 ? known[0] : usual);
  if (known.includes(wanted)) return wanted;
  if (known.length === 0) throw noKernelIn({ file, why: `has no ${what}` });
  const near = byDistance(wanted, known).slice(0, MOST);
  const list = `${near.join(', ')}${known.length > MOST ? ', …' : ''}`;
  throw noKernelIn({
    file,
    why:
      symbol === undefined
        ? `has several kernels: ${list}. Name one, as in ${file}#${near[0]}`
        : `has no ${what} "${symbol}". It has ${list}`,
  });
}

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
