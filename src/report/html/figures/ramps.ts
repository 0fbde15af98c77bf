/** Number of classes of size of a heat map, from the smallest to the largest. */
export const CLASSES = 13;

/** Pixels of cells without a class. Other pixels are 1 to {@link CLASSES}; those of negative entries are larger by {@link NEGATIVE}. */
export const PIXEL = { zero: 0, unknown: CLASSES + 1, notFinite: CLASSES + 2 } as const;
export const NEGATIVE = CLASSES + 3;

/** Colors of a heat map. */
export interface Ramp {
  /** Every color by its pixel. */
  readonly colors: readonly string[];
  /** The name of the color of infinities and NaN. */
  readonly notFinite: string;
}

const [ZERO, UNKNOWN] = ['#ffffff', '#b8bec5'];

interface Shades {
  /** Colors from light to dark in even steps, so that large values stand out on white. */
  readonly positive: readonly string[];
  readonly negative: readonly string[];
  readonly notFinite: string;
  readonly called: string;
}

const ramp = ({ positive, negative, notFinite, called }: Shades): Ramp => ({
  colors: [ZERO, ...positive, UNKNOWN, notFinite, ZERO, ...negative],
  notFinite: called,
});

// Positive errors are warm and negative ones cold; for values it is the reverse.
export const RAMPS = {
  errors: ramp({
    positive: [
      ...['#fff0c9', '#ffe0a9', '#ffcf8a', '#fdbf6a', '#f6a155', '#ee8140', '#e4602c'],
      ...['#ce4a34', '#b93239', '#a3143c', '#80113a', '#5f0d38', '#3d0a36'],
    ],
    negative: [
      ...['#e6f3dd', '#d0e9c4', '#b8dfab', '#9dd394', '#80c57f', '#60b56c', '#41a25c'],
      ...['#2c8f50', '#1b7b45', '#0f683b', '#0a5531', '#064227', '#03301c'],
    ],
    notFinite: '#00a8c6',
    called: 'cyan',
  }),
  values: ramp({
    positive: [
      ...['#e3eef6', '#cee1ef', '#b9d5e9', '#a3c8e2', '#88b4d7', '#6b9fcd', '#4a8cc2'],
      ...['#3a77b0', '#2a639e', '#164f8c', '#123e74', '#0e2e5e', '#0a1f48'],
    ],
    negative: [
      ...['#f6ebdd', '#efddc5', '#e7cfad', '#dec095', '#d3b07e', '#c69d66', '#b88a4f'],
      ...['#a6763b', '#93632a', '#7f511c', '#6a4112', '#55320a', '#402405'],
    ],
    notFinite: '#d4006a',
    called: 'magenta',
  }),
} as const satisfies Record<string, Ramp>;
