/** A direction of a figure. */
export interface Axis {
  readonly label: string;
  /**
   * `linear` has round ticks; `logarithmic` is for errors, with lanes for 0 and for what is not finite; `sizes` has ticks
   * at powers of two, `steps` at whole numbers; `exact` begins and ends where its values do.
   */
  readonly scale: 'linear' | 'logarithmic' | 'sizes' | 'steps' | 'exact';
  /** Values that it must have a place for besides those of its series: figures beside one another share them. */
  readonly include?: readonly number[];
  /** Whether values grow downwards, as the rows of a matrix do. */
  readonly down?: boolean;
}

interface Named {
  /** What colour and mark stand for, such as an algorithm: the same in all figures of a report. */
  readonly hue?: string | undefined;
  /** What the legend calls lines and marks of this kind; those without it are known by their hue alone. */
  readonly name?: string | undefined;
}

/** A line through points; one that is NaN interrupts it. */
export interface Line extends Named {
  readonly draw: 'line';
  readonly stroke: 'solid' | 'thin' | 'dotted' | 'dashed' | 'cut';
  /** How wide, where it is not the usual width of its stroke. */
  readonly weight?: number;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A mark and what is said when it is pointed at. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly says: string;
  /** An error bar, from the least to the largest value. */
  readonly bar?: readonly [low: number, high: number];
  /** Printed beside the mark. */
  readonly tag?: string | undefined;
}

/** Marks: of their hue's shape, or a cross or ring. */
export interface Points extends Named {
  readonly draw: 'points';
  readonly shape: 'own' | 'cross' | 'ring';
  readonly marks: readonly Mark[];
}

/** Bars from 0 upwards, all as wide, each around its x. */
export interface Bars {
  readonly draw: 'bars';
  readonly width: number;
  readonly marks: readonly Mark[];
}

/** A heat map over the whole figure: row-major values, on a logarithmic scale. */
export interface Cells {
  readonly draw: 'cells';
  readonly rows: number;
  readonly cols: number;
  readonly values: readonly number[];
  /** What a value is. */
  readonly of: string;
}

/** A line across the whole figure at a value: what others are compared with. */
export interface Rule {
  readonly draw: 'rule';
  readonly y: number;
}

/** What a figure shows, drawn in this order. */
export type Series = Line | Points | Bars | Cells | Rule;

/** Values against two axes, for any medium that can draw. */
export interface Figure {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  readonly note?: string | undefined;
}
