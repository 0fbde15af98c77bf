import type { WgslKernel } from '../../kernel/user-kernel.ts';
import { problem } from '../../problems.ts';

/** Where a kernel wants its buffers, in group 0. */
export type Bindings = NonNullable<WgslKernel['wgsl']['bindings']>;

/** @throws Problem `bad-kernel` unless each binding is a whole number of its own. */
export function bindingsOf({ name, wgsl }: WgslKernel): Bindings {
  const bindings = wgsl.bindings ?? { a: 0, b: 1, c: 2 };
  const { a, b, c, sizes } = bindings;
  const all = [a, b, c, ...(sizes === undefined ? [] : [sizes])];
  if (all.every((at) => Number.isInteger(at) && at >= 0 && at < 1000) && new Set(all).size === all.length) {
    return bindings;
  }
  const why = `its bindings of a, b, c and sizes must be different whole numbers, but are ${all.join(', ')}`;
  throw problem('bad-kernel', { kernel: `"${name}"`, why });
}

const DECLARED = /@binding\s*\(\s*(\d+)[iu]?\s*\)[^;{]*?\bvar\s*<[^>]*>\s*(\w+)/g;
const MEASURED = /\barrayLength\b(?:\s*\(\s*&\s*(\w+)\s*\))?/g;

/** The bindings whose length a source without comments asks for: all of them where it does so by a pointer or a name not found. */
export function measuredBindings(code: string): (binding: number) => boolean {
  const declared = new Map([...code.matchAll(DECLARED)].map(([, at, name]) => [name, Number(at)]));
  const measured = new Set([...code.matchAll(MEASURED)].map(([, name]) => declared.get(name)));
  return (binding) => measured.has(undefined) || measured.has(binding);
}
