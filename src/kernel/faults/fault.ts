import type { PrecisionName } from '../../formats/precision.ts';
import type { Program } from '../../gpu/dispatches.ts';
import type { Tampering } from '../builtin.ts';

/** What kind of mistake a fault is. */
export const faultClasses = [
  'indexing',
  'edges',
  'layout',
  'synchronisation',
  'schedule',
  'precision',
  'special-values',
  'non-determinism',
  'batch',
] as const;
export type FaultClass = (typeof faultClasses)[number];

/** A fault planted on purpose, to see the gate fail. */
export interface Fault {
  readonly name: string;
  readonly class: FaultClass;
  /** What is wrong with the kernel, in a clause. */
  readonly what: string;
  /** The kernel it is planted in. */
  readonly kernel: string;
  /** Levels at which the fault can show: a wrong schedule needs at least one. */
  readonly levels: readonly number[];
  /** The precision it is planted in. @defaultValue 'f32' */
  readonly precision?: PrecisionName | undefined;
  /** What the gate's message must say of the cause's region. */
  readonly pointsAt: RegExp;
  /** What it changes; a fault that remembers earlier products gives a fresh one each time it is asked. */
  readonly tampering: Tampering;
  /** Why the gate cannot see it, as a clause after "because"; absent where it must. */
  readonly unseen?: string | undefined;
  /** Its place among faults that differ in size alone. */
  readonly rung?: Rung | undefined;
}

/** One of the faults of a {@link Ladder}. */
export interface Rung {
  readonly ladder: string;
  /** How large it is, in words: "22 bits". */
  readonly size: string;
}

/** One fault in several sizes, the largest first: to find the smallest that the gate still sees. */
export interface Ladder extends Pick<Fault, 'class' | 'kernel' | 'levels' | 'precision'> {
  readonly name: string;
  /** What is wrong, in a clause in which … stands for the size. */
  readonly what: string;
  readonly rungs: readonly { readonly size: string; readonly tampering: Tampering }[];
}

/** The rungs of a ladder as faults of their own: `row-index-64`. */
export function rungsOf({ name, what, rungs, ...common }: Ladder): Fault[] {
  return rungs.map((rung) => ({
    ...common,
    name: `${name}-${rung.size.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}`,
    what: what.replace('…', rung.size),
    // Of a ladder only the size of what is seen is asked.
    pointsAt: /./,
    get tampering() {
      return rung.tampering;
    },
    rung: { ladder: name, size: rung.size },
  }));
}

/** A text of a shader, or what it looks like, and what takes its place. */
export type Edit = readonly [from: string | RegExp, to: string];

/** Changes every shader of a program that has a text; others stay as they are. Edits are made in turn. */
export function editShaders(made: Program, ...edits: readonly Edit[]): Program {
  const dispatches = made.dispatches.map((dispatch) => ({
    ...dispatch,
    shader: edits.reduce((shader, [from, to]) => shader.replace(from, to), dispatch.shader),
  }));
  return { ...made, dispatches };
}

/** The tampering that edits shaders. */
export const edited = (...edits: readonly Edit[]): Tampering => ({
  program: (made) => editShaders(made, ...edits),
});

/** The tampering that changes the list of dispatches. */
export const dispatched = (
  change: (dispatches: Program['dispatches']) => Program['dispatches'],
): Tampering => ({ program: (made) => ({ ...made, dispatches: change(made.dispatches) }) });

/** Every level of the default gate. */
export const ALL_LEVELS = [0, 1, 2, 3];
/** Levels at which a fast algorithm is one. */
export const FAST_LEVELS = [1, 2, 3];

const STRUCT = 'struct Params';

/** The edit that declares functions before everything else. */
export const declaring = (declarations: string): Edit => [STRUCT, `${declarations}${STRUCT}`];

/** WGSL `keep(x)`, and `keep4` for four: a binary32 number rounded to so many significant bits, ties to even. */
export function keepBits(bits: number): string {
  const cut = 24 - bits;
  const half = (1 << (cut - 1)) - 1;
  const kept = (0xffffffff << cut) >>> 0;
  const body = (scalar: string, word: string) => `
  let bits = bitcast<${word}>(x);
  return bitcast<${scalar}>((bits + ${half}u + ((bits >> ${word}(${cut}u)) & ${word}(1u))) & ${word}(${kept}u));
`;
  return `fn keep(x: f32) -> f32 {${body('f32', 'u32')}}
fn keep4(x: vec4<f32>) -> vec4<f32> {${body('vec4<f32>', 'vec4<u32>')}}
`;
}

/** WGSL `keep(x)`: a binary32 number cut off after so many significant bits. */
export const chopBits = (bits: number): string => `fn keep(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) & ${(0xffffffff << (24 - bits)) >>> 0}u);
}
`;
