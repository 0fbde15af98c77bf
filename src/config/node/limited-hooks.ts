import { isFunction, isObject } from '../../base/guards.ts';
import { limitedCall } from '../../base/node/limited-call.ts';
import type { Shape } from '../../matrix/dense.ts';
import { badKernel } from '../../precision/messages.ts';

/** Time limit of one call of `accepts` or `claims`, in seconds. */
const LIMIT = 10;

type Hook<R> = (shape: Shape) => R;

/**
 * Limits the time of a kernel's hooks: they run in this process, where an endless loop would hang the run. Each hook is called
 * once a shape; values that are not kernels are returned unchanged.
 * @param seconds time limit of a call. @defaultValue 10
 */
export function withLimitedHooks<K>(kernel: K, seconds = LIMIT): K {
  if (!isObject(kernel)) return kernel;
  const { name, accepts, claims } = kernel;
  const limited = (hook: string, asked: unknown) =>
    limitedHook(String(name), hook, asked as Hook<unknown>, seconds);
  const mended: Record<string, unknown> = {};
  if (isFunction(accepts)) mended.accepts = limited('accepts', accepts);
  if (isObject(accepts) && isFunction(accepts.sizes))
    mended.accepts = { ...accepts, sizes: limited('accepts.sizes', accepts.sizes) };
  if (isObject(claims) && isFunction(claims.levels))
    mended.claims = { ...claims, levels: limited('claims.levels', claims.levels) };
  if (Object.keys(mended).length === 0) return kernel;
  // Keeps the prototype: a kernel may be an instance of a class.
  return Object.assign(Object.create(Object.getPrototypeOf(kernel)), kernel, mended);
}

function limitedHook<R>(kernel: string, name: string, hook: Hook<R>, seconds: number): Hook<R> {
  const known = new Map<string, R>();
  let endless: Error | undefined;
  return ({ m, k, n }) => {
    if (endless !== undefined) throw endless;
    const shape = `${m}×${k}×${n}`;
    if (known.has(shape)) return known.get(shape) as R;
    const answer = limitedCall(
      seconds,
      () => hook({ m, k, n }),
      (cause) => {
        const why = `its ${name} did not return for ${shape} within ${seconds} s. It must return at once`;
        endless = badKernel({ kernel: `"${kernel}"`, why }, cause);
        return endless;
      },
    );
    known.set(shape, answer);
    return answer;
  };
}
