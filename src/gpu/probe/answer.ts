/** `ieee`: as IEEE 754; `allowed`: not so, but WGSL lets it; `broken`: WGSL forbids it; `absent`: not offered. */
export const standings = ['ieee', 'allowed', 'broken', 'absent'] as const;
export type Standing = (typeof standings)[number];

/** One question to the device's arithmetic, and its answer in plain words. */
export interface ProbeAnswer {
  /** Stable, dotted: "f32.add.ties". */
  readonly id: string;
  readonly group: string;
  readonly question: string;
  readonly answer: string;
  /** What WGSL promises. */
  readonly promise: string;
  readonly standing: Standing;
}
