import { expect, it } from 'vitest';
import { encodeModule, f64x2, get, i32, Locals, repeat, set, tee } from './encode.ts';

/** As much as the test needs of an interface whose types come with browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: Record<string, never> };
};

it.each([0, 1, 63, 64, 127, 128, 8191, 8192, 2 ** 20 + 8, -1, -64, -65, -8192])(
  'steps by the constant %d, to an address with an offset',
  (constant) => {
    // Stores at 0, 1, 2 … steps of 16 bytes; the address first leaves by the constant and then comes back.
    const locals = new Locals(1);
    const count = locals.param(0);
    const at = locals.i32();
    const sum = locals.v128();
    const body = [
      ...repeat(
        [
          ...set(at, i32.add(get(at), i32.const(constant))),
          ...set(at, i32.sub(get(at), i32.const(constant))),
          ...set(sum, f64x2.add(get(sum), f64x2.splat(i32.const(0), 70_000))),
          ...f64x2.store(get(at), f64x2.mul(get(sum), f64x2.load(i32.const(8), 70_000))),
          ...set(at, i32.add(get(at), i32.mul(i32.const(4), i32.const(4)))),
        ],
        tee(count, i32.sub(get(count), i32.const(1))),
      ),
    ];
    const bytes = encodeModule(2, [{ name: 'fill', params: 1, locals: locals.types, body }]);
    const { fill, memory } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as {
      fill(count: number): void;
      memory: { buffer: ArrayBuffer };
    };
    const doubles = new Float64Array(memory.buffer);
    doubles.set([3, 0.5, -2], 70_000 / 8);
    fill(3);
    expect([...doubles.slice(0, 8)]).toEqual([1.5, -6, 3, -12, 4.5, -18, 0, 0]);
  },
);
