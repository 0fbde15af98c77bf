import { extent } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import { powerOfTen } from '../text.ts';

/** A tick: where it is and what it says. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** A direction of a panel: where values lie, in the units of its drawing. */
export interface Axis {
  readonly label: string;
  readonly at: (value: number) => number;
  readonly ticks: readonly Tick[];
  /** Lanes for values that a logarithmic axis has no place for. */
  readonly lanes: readonly Tick[];
}

type Range = readonly [from: number, to: number];

const LANE = 15;
const MOST_TICKS = 6;

/**
 * A logarithmic axis for errors, from bottom to top. Zeros get a lane below it; infinities and NaN one above, where
 * there are any.
 */
export function errorAxis(label: string, values: Iterable<number>, [bottom, top]: Range): Axis {
  const all = [...values];
  const zero = all.some((value) => value === 0);
  const beyond = all.some((value) => !Number.isFinite(value));
  const [low = 1e-8, high = 1] = extent(all.filter((value) => value > 0 && Number.isFinite(value)));
  // The logarithms of the very smallest and largest numbers must stay numbers.
  const domain = [Math.max(low / 2, Number.MIN_VALUE), Math.min(high * 2, Number.MAX_VALUE)];
  const scale = scaleLog(domain, [bottom - (zero ? LANE : 0), top + (beyond ? LANE : 0)]);
  const lanes = [
    ...(zero ? [{ at: bottom - LANE / 3, text: '0' }] : []),
    ...(beyond ? [{ at: top + LANE / 3, text: '∞ NaN' }] : []),
  ];
  const at = (value: number) => {
    if (value === 0) return bottom - LANE / 3;
    return Number.isFinite(value) ? scale(value) : top + LANE / 3;
  };
  return { label, at, lanes, ticks: decades(domain as [number, number], scale) };
}

function decades([low, high]: Range, scale: (value: number) => number): Tick[] {
  const first = Math.ceil(Math.log10(low));
  const last = Math.floor(Math.log10(high));
  const step = Math.max(1, Math.ceil((last - first + 1) / MOST_TICKS));
  const exponents = [];
  for (let e = Math.ceil(first / step) * step; e <= last; e += step) exponents.push(e);
  return exponents.map((e) => ({ at: scale(10 ** e), text: powerOfTen(e) }));
}

/** A logarithmic axis for sizes, with ticks at powers of two. */
export function sizeAxis(label: string, values: Iterable<number>, [from, to]: Range): Axis {
  const [low = 1, high = 2] = extent(values);
  const scale = scaleLog([low / 1.3, high * 1.3], [from, to]);
  const first = Math.ceil(Math.log2(low));
  const last = Math.floor(Math.log2(high));
  const step = Math.max(1, Math.ceil((last - first + 1) / MOST_TICKS));
  const powers = [];
  for (let e = first; e <= last; e += step) powers.push(2 ** e);
  // A single size between two powers of two would leave the axis bare.
  const ticks = powers.length > 0 ? powers : [low];
  return { label, at: scale, lanes: [], ticks: ticks.map((n) => ({ at: scale(n), text: String(n) })) };
}

/** An axis for levels: every level has its place. */
export function levelAxis(label: string, levels: readonly number[], [from, to]: Range): Axis {
  const [low = 0, high = 1] = extent(levels);
  const scale = scaleLinear([low - 0.4, high + 0.4], [from, to]);
  const step = Math.max(1, Math.ceil((high - low + 1) / 10));
  const shown = levels.filter((level) => (level - low) % step === 0);
  const ticks = [...new Set(shown)].map((level) => ({ at: scale(level), text: String(level) }));
  return { label, at: scale, lanes: [], ticks };
}

/** A linear axis with round ticks. */
export function linearAxis(label: string, values: Iterable<number>, [from, to]: Range, ticks = 5): Axis {
  const [low = 0, high = 1] = extent(values);
  const scale = scaleLinear(low === high ? [low - 1, high + 1] : [low, high], [from, to]).nice(ticks);
  const text = scale.tickFormat(ticks);
  const at = (value: number) => scale(value);
  return {
    label,
    at,
    lanes: [],
    ticks: scale.ticks(ticks).map((value) => ({ at: scale(value), text: text(value) })),
  };
}
