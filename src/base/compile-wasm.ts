/** The required part of the WebAssembly interface, which runtimes may lack. */
export interface WebAssemblyLike {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

/** A compiled module, with its memory as bytes. */
export type CompiledModule<Functions> = Functions & { readonly memory: { readonly buffer: ArrayBuffer } };

/**
 * Compiles a module without imports.
 * @param hex its bytes, two digits each: pages load them compressed, and repeats only show in whole bytes.
 * @param runtime the WebAssembly of this runtime, if it has any.
 * @returns its exports, or the reason why it cannot be compiled, where the runtime has no vectors or forbids it.
 */
export function compileWasm<Functions>(
  hex: string,
  // biome-ignore lint/style/noRestrictedGlobals: of every host, though no library of types has it
  runtime = (globalThis as unknown as { readonly WebAssembly?: WebAssemblyLike }).WebAssembly,
): CompiledModule<Functions> | string {
  if (runtime === undefined) return 'this runtime has no WebAssembly';
  try {
    const module = new runtime.Module(
      Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16)),
    );
    return new runtime.Instance(module).exports as CompiledModule<Functions>;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `this runtime cannot compile WebAssembly with SIMD (${why})`;
  }
}
