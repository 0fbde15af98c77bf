/**
 * The standing of an answer. `ieee`: as IEEE 754; `allowed`: otherwise, but WGSL allows it; `broken`: WGSL forbids it; `absent`: not
 * offered.
 */
export const standings = ['ieee', 'allowed', 'broken', 'absent'] as const;
export type AnswerStanding = (typeof standings)[number];

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
