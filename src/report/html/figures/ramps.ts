/** Classes of size of a heat map, from the smallest to the largest. */
export const CLASSES = 13;

/** What a cell is that has no class: pixels are 0, 1 to {@link CLASSES}, and these. */
export const PIXEL = { zero: 0, unknown: CLASSES + 1, notFinite: CLASSES + 2 } as const;

/** Colours of a heat map. */
export interface Ramp {
  /** Every colour by its pixel. */
  readonly colours: readonly string[];
  /** What the colour is called of what is not finite. */
  readonly notFinite: string;
}

const [ZERO, UNKNOWN] = ['#ffffff', '#b8bec5'];

// From light to dark in even steps: what is large stands out on white. Warm for errors, cold for values.
const ramp = (classes: readonly string[], colour: string, notFinite: string): Ramp => ({
  colours: [ZERO, ...classes, UNKNOWN, colour],
  notFinite,
});

export const RAMPS = {
  errors: ramp(
    [
      ...['#fff0c9', '#ffe0a9', '#ffcf8a', '#fdbf6a', '#f6a155', '#ee8140', '#e4602c'],
      ...['#ce4a34', '#b93239', '#a3143c', '#80113a', '#5f0d38', '#3d0a36'],
    ],
    '#00a8c6',
    'cyan',
  ),
  values: ramp(
    [
      ...['#e3eef6', '#cee1ef', '#b9d5e9', '#a3c8e2', '#88b4d7', '#6b9fcd', '#4a8cc2'],
      ...['#3a77b0', '#2a639e', '#164f8c', '#123e74', '#0e2e5e', '#0a1f48'],
    ],
    '#d4006a',
    'magenta',
  ),
} as const satisfies Record<string, Ramp>;
