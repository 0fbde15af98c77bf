import type { Gemm } from '../../matrix/gemm.ts';
import { badKernel } from '../../precision/messages.ts';
import { kernelAnswer } from '../messages.ts';
import type { WgslKernel } from '../user-kernel.ts';

/** The kernel's bindings of its buffers, in group 0. */
export type KernelBindings = NonNullable<WgslKernel['wgsl']['bindings']>;

/** Returns the bindings of a kernel. @throws ParanoiaError `bad-kernel` unless each is a different whole number. */
export function bindingsOf({ name, wgsl }: WgslKernel): KernelBindings {
  const bindings = wgsl.bindings ?? { a: 0, b: 1, c: 2 };
  const { a, b, c, d, sizes, factors = [] } = bindings;
  const all = [a, b, c, ...[d, sizes].filter((at) => at !== undefined), ...factors];
  if (all.every((at) => Number.isInteger(at) && at >= 0 && at < 1000) && new Set(all).size === all.length) {
    return bindings;
  }
  const why = `its bindings of a, b, c, d, sizes and factors must be different whole numbers, but are ${all.join(', ')}`;
  throw badKernel({ kernel: `"${name}"`, why });
}

const DECLARED = /@binding\s*\(\s*(\d+)[iu]?\s*\)[^;{]*?\bvar\s*<[^>]*>\s*(\w+)/g;
const MEASURED = /\barrayLength\b(?:\s*\(\s*&\s*(\w+)\s*\))?/g;

/**
 * Returns a predicate of the bindings whose length a source (without comments) reads: all of them where it does so by a pointer or an
 * unknown name.
 */
function measuredBindings(code: string): (binding: number) => boolean {
  const declared = new Map([...code.matchAll(DECLARED)].map(([, at, name]) => [name, Number(at)]));
  const measured = new Set([...code.matchAll(MEASURED)].map(([, name]) => declared.get(name)));
  return (binding) => measured.has(undefined) || measured.has(binding);
}

export interface WgslRun {
  readonly source: string;
  readonly entryPoint: string;
  readonly constants: Record<string, number>;
  readonly workgroups: readonly [x: number, y: number, z: number];
  /** True if a binding ends with its matrix, since the source reads its length; else it includes the guard words behind it. */
  readonly isExact: (binding: number) => boolean;
  readonly needsHalf: boolean;
}

/**
 * Gets the run for a product from a kernel.
 * @throws ParanoiaError `kernel-answer` where it gives no usable source, workgroups or constants, or has no binding for a D apart from C;
 * errors of its own functions pass through.
 */
export function wgslRun({ name, wgsl }: WgslKernel, gemm: Gemm, limits: GPUSupportedLimits): WgslRun {
  const refuse = (why: string) => kernelAnswer({ kernel: name, shape: gemm, why });
  const told = structuredClone(gemm);
  const made = <T>(value: T | ((gemm: Gemm) => T)): T =>
    typeof value === 'function' ? (value as (gemm: Gemm) => T)(told) : value;

  if (gemm.c !== gemm.d && wgsl.bindings?.d === undefined) {
    throw refuse('D is separate from C, but its bindings have no d');
  }

  const source: unknown = made(wgsl.source);
  if (typeof source !== 'string') throw refuse(`its source is ${shown(source)}, but must be a string`);

  const workgroups: unknown = wgsl.workgroups(told);
  const most = limits.maxComputeWorkgroupsPerDimension;
  if (!isGrid(workgroups, most)) {
    throw refuse(
      `its workgroups are ${shown(workgroups)}, but must be 1 to 3 whole numbers from 0 to ${most}`,
    );
  }
  const [x, y = 1, z = 1] = workgroups;

  const constants: unknown = made(wgsl.constants) ?? {};
  if (typeof constants !== 'object') {
    throw refuse(`its constants are ${shown(constants)}, but must be an object of numbers`);
  }
  const wrong = Object.entries(constants as object).find(([, value]) => !Number.isFinite(value));
  if (wrong !== undefined)
    throw refuse(`its constant ${wrong[0]} is ${shown(wrong[1])}, but must be a number`);

  const code = withoutComments(source);
  return {
    source,
    entryPoint: wgsl.entryPoint ?? 'main',
    constants: constants as Record<string, number>,
    workgroups: [x, y, z],
    isExact: measuredBindings(code),
    needsHalf: /\benable\b[^;]*\bf16\b/.test(code),
  };
}

function isGrid(value: unknown, most: number): value is [number, number?, number?] {
  const whole = (x: unknown) =>
    x === undefined || (Number.isInteger(x) && Number(x) >= 0 && Number(x) <= most);
  return (
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= 3 &&
    value[0] !== undefined &&
    value.every(whole)
  );
}

/** Describes a value: a number, a list of numbers, or its type. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  if (typeof value === 'number' || value === undefined || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function withoutComments(source: string): string {
  return source.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ' ');
}
