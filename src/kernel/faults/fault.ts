import type { Program } from '../../gpu/dispatches.ts';
import type { Tampering } from '../builtin.ts';

/** A fault planted on purpose, to see the gate fail. */
export interface Fault {
  readonly name: string;
  /** What is wrong with the kernel, in a clause. */
  readonly what: string;
  /** The kernel it is planted in. */
  readonly kernel: string;
  /** Levels at which the fault can show: a wrong schedule needs at least one. */
  readonly levels: readonly number[];
  /** What the gate's message must say of the cause's region. */
  readonly pointsAt: RegExp;
  readonly tampering: Tampering;
}

/** Changes every shader of a program that has the text; others stay as they are. */
export function editShaders(made: Program, from: string | RegExp, to: string): Program {
  const dispatches = made.dispatches.map((dispatch) => ({
    ...dispatch,
    shader: dispatch.shader.replace(from, to),
  }));
  return { ...made, dispatches };
}

/** WGSL that rounds a binary32 number to 11 significant bits, to nearest, ties to even. */
export const ROUND_11 = `fn round11(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  return bitcast<f32>((bits + 0xfffu + ((bits >> 13u) & 1u)) & 0xffffe000u);
}
`;
