import type { WgslKernel } from '../../kernel/user-kernel.ts';
import type { Shape } from '../../matrix/dense.ts';
import { problem } from '../../problems.ts';
import { measuredBindings } from './bindings.ts';

/** What a kernel written in WGSL wants to be run for one shape. */
export interface WgslRun {
  readonly source: string;
  readonly entryPoint: string;
  readonly constants: Record<string, number>;
  readonly workgroups: readonly [x: number, y: number, z: number];
  /** Whether a binding ends with its matrix, for its length is asked for, or reaches over the guard words behind it. */
  readonly isExact: (binding: number) => boolean;
  readonly needsHalf: boolean;
}

/**
 * Asks a kernel what is to be run for a shape.
 * @throws Problem `kernel-answer` where it gives no source, workgroups or constants that can be used; what its own
 *   functions throw passes through.
 */
export function wgslRun({ name, wgsl }: WgslKernel, { m, k, n }: Shape, limits: GPUSupportedLimits): WgslRun {
  const refuse = (why: string) => problem('kernel-answer', { kernel: name, shape: `${m}×${k}×${n}`, why });
  const made = <T>(value: T | ((shape: Shape) => T)): T =>
    typeof value === 'function' ? (value as (shape: Shape) => T)({ m, k, n }) : value;

  const source: unknown = made(wgsl.source);
  if (typeof source !== 'string') throw refuse(`its source is ${shown(source)}, but must be a text`);

  const workgroups: unknown = wgsl.workgroups({ m, k, n });
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

/** A number, a list of them, or what else it is. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  if (typeof value === 'number' || value === undefined || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function withoutComments(source: string): string {
  return source.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ' ');
}
