import { plan, step } from './trigger.mjs';

const ARRAYS = ['Float64Array', 'Float32Array', 'BigInt64Array', 'BigUint64Array', 'Uint8Array'].concat([
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Uint8ClampedArray',
]);

/** The bytes that a typed array allocates for these arguments. */
function bytesOf(type, [first]) {
  if (typeof first === 'number') return first * type.BYTES_PER_ELEMENT;
  if (first instanceof ArrayBuffer || first instanceof SharedArrayBuffer) return 0;
  return (first?.length ?? 0) * type.BYTES_PER_ELEMENT;
}

function hook(owner, name, bytes, message = 'Array buffer allocation failed') {
  const type = owner[name];
  const hooked = new Proxy(type, {
    construct(target, args, newTarget) {
      const size = bytes(type, args);
      if (size >= plan.bytes && step('memory', `${name} of ${size} bytes`) !== undefined)
        throw new RangeError(message);
      return Reflect.construct(target, args, newTarget === hooked ? target : newTarget);
    },
  });
  owner[name] = hooked;
}

/** Hooks memory allocations from a minimum size on. */
export function hookMemory() {
  for (const name of ARRAYS) hook(globalThis, name, bytesOf);
  for (const name of ['ArrayBuffer', 'SharedArrayBuffer']) hook(globalThis, name, (_, [size]) => size);
  const ofPages = (_, [{ initial }]) => initial * 2 ** 16;
  hook(WebAssembly, 'Memory', ofPages, 'WebAssembly.Memory(): could not allocate memory');
  for (const name of ['alloc', 'allocUnsafe', 'allocUnsafeSlow']) {
    const allocate = Buffer[name];
    Buffer[name] = (size, ...rest) => {
      if (size >= plan.bytes && step('memory', `Buffer.${name} of ${size} bytes`) !== undefined)
        throw new RangeError('Array buffer allocation failed');
      return allocate.call(Buffer, size, ...rest);
    };
  }
}
