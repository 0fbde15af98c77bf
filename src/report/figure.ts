/** An axis of a figure. */
export interface Axis {
  readonly label: string;
  /**
   * `linear` has round ticks; `logarithmic` is for errors, with lanes for 0 and for infinities and NaN; `sizes` has ticks at powers of two,
   * `steps` at whole numbers; `exact` begins and ends where its values do.
   */
  readonly scale: 'linear' | 'logarithmic' | 'sizes' | 'steps' | 'exact';
  /** Values that the axis must include besides those of its series, so that figures beside one another share a range. */
  readonly include?: readonly number[];
  /** True if values grow downwards, as the rows of a matrix do. */
  readonly down?: boolean;
}

interface Named {
  /** The subject of color and mark, such as an algorithm: the same in all figures of a report. */
  readonly hue?: string | undefined;
  /** The legend's name of lines and marks of this kind. Without it, the hue alone identifies them. */
  readonly name?: string | undefined;
}

/** A line through points; NaN interrupts it. */
export interface Line extends Named {
  readonly draw: 'line';
  readonly stroke: 'solid' | 'thin' | 'dotted' | 'dashed' | 'cut';
  /** Width, where it is not the usual one of its stroke. */
  readonly weight?: number;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A mark with its tooltip. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly says: string;
  /** An error bar, from the least to the largest value. */
  readonly bar?: readonly [low: number, high: number];
  /** Text beside the mark. */
  readonly tag?: string | undefined;
}

/** Marks: of their hue's shape, or a cross or ring. */
export interface Points extends Named {
  readonly draw: 'points';
  readonly shape: 'own' | 'cross' | 'ring';
  readonly marks: readonly Mark[];
}

/** Bars of equal width from 0 upwards, each around its x. */
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
  /** The meaning of a value. */
  readonly of: string;
}

/** A reference line across the whole figure at a value. */
export interface ReferenceLine {
  readonly draw: 'rule';
  readonly y: number;
}

/** The contents of a figure, drawn in this order. */
export type Series = Line | Points | Bars | Cells | ReferenceLine;

/** Values against two axes, for any medium that can draw. */
export interface Figure {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  readonly note?: string | undefined;
}
