import type { ProbeAnswer } from './answer.ts';

/** How an answer stands to IEEE 754 and to WGSL. */
export type Standing = ProbeAnswer['standing'];

/** The operands of one case as 32-bit words: x, y and z, read as binary32 or as bits, and a fourth word. */
export type Operands = readonly number[];

/** A case with the device's answer, as bits and as the binary32 number they are. */
export interface Answered {
  readonly words: Operands;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly bits: number;
  readonly value: number;
}

/** What the answers of all cases amount to. */
export interface Finding {
  readonly answer: string;
  readonly standing: Standing;
  /** The same for programs, where another finding must agree with it. */
  readonly fact?: string;
}

/** Something that is asked of the device by cases, and how its answers are judged. */
export interface Question {
  /** Stable, dotted: "f32.add.ties". */
  readonly id: string;
  readonly question: string;
  /** What WGSL promises. */
  readonly promise: string;
  /**
   * The body of a WGSL function that returns a u32. It may read the operands `v: vec4u`, their binary32 values `x`, `y`
   * and `z`, and `zero`, which is 0u and which no compiler can know to be.
   */
  readonly wgsl: string;
  readonly cases: readonly Operands[];
  readonly judge: (answers: readonly Answered[]) => Finding;
}

/** Questions on one theme; they share a shader. */
export interface Group {
  readonly name: string;
  /** The feature its questions need, with the WGSL extension that it enables. */
  readonly needs?: { readonly feature: GPUFeatureName; readonly enable: string };
  readonly questions: readonly Question[];
}
