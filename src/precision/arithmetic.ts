/** What becomes of subnormal numbers. */
export type Subnormals = 'kept' | 'either' | Flushing;

/** Which of them become zeros of their sign. */
export interface Flushing {
  /** Operands of + − × and fma. */
  readonly operands: boolean;
  /** Exact results of smaller magnitude; 0 where subnormal results are kept. See `tinyOf` for the values it may have. */
  readonly below: number;
}

/** How + − × and fma are computed in one precision, as far as machines differ: measured of a device, or claimed by a kernel. */
export interface Arithmetic {
  /** Of + and ×: what is not nearest, ties to even, may err twice as much. Faithful: either neighbour of the exact value. */
  readonly rounding: 'nearest' | 'faithful' | 'toward-zero';
  /** How often fma(a, b, c) rounds. */
  readonly fma: 'once' | 'twice' | 'either';
  readonly subnormals: Subnormals;
  /** Overflow gives infinity, and infinities and NaN compute as in IEEE 754. */
  readonly exceptions: boolean;
  /** All this gives every finite result to the last bit, so that a mirror may be compared. */
  readonly modelled: boolean;
}

/** What is computed step by step in integers or in a wider format: the same on every machine. */
export const emulated: Arithmetic = {
  rounding: 'nearest',
  fma: 'twice',
  subnormals: 'kept',
  exceptions: true,
  modelled: true,
};

/**
 * What is assumed where nothing can be measured: IEEE 754's, in which subnormals may be flushed (as compilers' fast modes
 * do) and products may be added with one rounding or two. Its mirror is one result among those that the bounds allow.
 */
export const assumed: Arithmetic = {
  rounding: 'nearest',
  fma: 'either',
  subnormals: 'either',
  exceptions: true,
  modelled: false,
};

const NEVER: Flushing = { operands: false, below: 0 };

/** What a mirror flushes: nothing where either may be. */
export const flushingOf = ({ subnormals }: Pick<Arithmetic, 'subnormals'>): Flushing =>
  typeof subnormals === 'string' ? NEVER : subnormals;
