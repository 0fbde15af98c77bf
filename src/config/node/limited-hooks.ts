import { isFunction, isObject } from '../../base/guards.ts';
import { limitedCall } from '../../base/node/limited-call.ts';
import type { Shape } from '../../matrix/dense.ts';
import { badKernel } from '../../precision/messages.ts';

/** Seconds that a kernel may take to say what it accepts or claims of one shape. */
const LIMIT = 10;

type Hook<R> = (shape: Shape) => R;

/**
 * A kernel whose hooks end: what it accepts and claims is asked in this process, where an endless loop would hang all that is
 * judged. Each is asked once a shape; what is no kernel stays as it is.
 * @param seconds that a hook has. @defaultValue 10
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
  // A kernel may be an object of a class.
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
        const why = `its ${name} gives no answer for ${shape} within ${seconds} s; let it return at once`;
        endless = badKernel({ kernel: `"${kernel}"`, why }, cause);
        return endless;
      },
    );
    known.set(shape, answer);
    return answer;
  };
}
