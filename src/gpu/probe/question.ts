/**
 * The standing of an answer. `ieee`: as IEEE 754; `allowed`: otherwise, but WGSL allows it; `broken`: WGSL forbids it; `absent`: not
 * offered.
 */
export const standings = ['ieee', 'allowed', 'broken', 'absent'] as const;
type AnswerStanding = (typeof standings)[number];

/** A question to the device's arithmetic, and its answer in plain words. */
export interface ProbeAnswer {
  /** A stable, dotted id: "f32.add.ties". */
  readonly id: string;
  readonly group: string;
  readonly question: string;
  readonly answer: string;
  /** WGSL's promise. */
  readonly promise: string;
  readonly standing: AnswerStanding;
}

/** The standing of an answer under IEEE 754 and WGSL. */
export type ProbeStanding = ProbeAnswer['standing'];

/** The operands of a case as 32-bit words: x, y and z, read as binary32 or as bits, and a fourth word. */
export type OperandWords = readonly number[];

/** A case with the device's answer, as bits and as the binary32 number of those bits. */
export interface AnsweredCase {
  readonly words: OperandWords;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly bits: number;
  readonly value: number;
}

/** The summary of the answers to all cases. */
export interface ProbeFinding {
  readonly answer: string;
  readonly standing: ProbeStanding;
  /** The answer in machine-readable form, present if another finding must agree with it. */
  readonly fact?: string;
}

/** A question to the device: its cases, and the judge of its answers. */
export interface ProbeQuestion {
  /** A stable, dotted id: "f32.add.ties". */
  readonly id: string;
  readonly question: string;
  /** WGSL's promise. */
  readonly promise: string;
  /**
   * The body of a WGSL function that returns a u32. It may read the operands `v: vec4u`, their binary32 values `x`, `y` and `z`, and
   * `zero`. `zero` is 0u, but no compiler can know that.
   */
  readonly wgsl: string;
  readonly cases: readonly OperandWords[];
  readonly judge: (answers: readonly AnsweredCase[]) => ProbeFinding;
}

/** Questions on one theme; they share a shader. */
export interface QuestionGroup {
  readonly name: string;
  /** The feature that its questions need, with the WGSL extension that enables it. */
  readonly needs?: { readonly feature: string; readonly enable: string };
  readonly questions: readonly ProbeQuestion[];
}
