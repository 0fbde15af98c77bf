import { extent } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import type { Axis } from '../../figure.ts';

/** A tick: its position and its text. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** An axis with its position in a drawing. */
export interface PlacedAxis {
  readonly label: string;
  readonly at: (value: number) => number;
  readonly ticks: readonly Tick[];
  /** Lanes for values that a logarithmic axis cannot show. */
  readonly lanes: readonly Tick[];
}

type Range = readonly [from: number, to: number];
type Scaled = Omit<PlacedAxis, 'label'>;

/** Places an axis between two ends of a drawing so that it shows the values. */
export function placeAxis(axis: Axis, values: readonly number[], [from, to]: Range): PlacedAxis {
  const range: Range = axis.down === true ? [to, from] : [from, to];
  return { label: axis.label, ...SCALES[axis.scale]([...values, ...(axis.include ?? [])], range) };
}

const LANE = 15;
const MOST_TICKS = 6;

/** Places a logarithmic axis from bottom to top. Zeros get a lane below, infinities and NaN one above, where there are any. */
function logarithmic(all: readonly number[], [bottom, top]: Range): Scaled {
  const zero = all.some((value) => value === 0);
  const beyond = all.some((value) => !Number.isFinite(value));
  const [low = 1e-8, high = 1] = extent(all.filter((value) => value > 0 && Number.isFinite(value)));
  // The limits keep the logarithms of the smallest and largest numbers finite.
  const domain: Range = [Math.max(low / 2, Number.MIN_VALUE), Math.min(high * 2, Number.MAX_VALUE)];
  const scale = scaleLog(domain, [bottom - (zero ? LANE : 0), top + (beyond ? LANE : 0)]);
  const lanes = [
    ...(zero ? [{ at: bottom - LANE / 3, text: '0' }] : []),
    ...(beyond ? [{ at: top + LANE / 3, text: '∞ NaN' }] : []),
  ];
  const at = (value: number) => {
    if (value === 0) return bottom - LANE / 3;
    return Number.isFinite(value) ? scale(value) : top + LANE / 3;
  };
  const exponents = powers(Math.log10(domain[0]), Math.log10(domain[1]), 'multiple');
  const ticks = exponents.map((e) => ({ at: scale(10 ** e), text: powerOfTen(e) }));
  return { at, lanes, ticks: ticks.length > 1 ? ticks : closeTicks(domain, scale) };
}

/** Returns ticks between two powers of ten. */
function closeTicks([low, high]: Range, scale: (value: number) => number): Tick[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const exponents = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return exponents
    .flatMap((e) => [1, 2, 5].map((factor) => ({ factor, e, value: factor * 10 ** e })))
    .filter(({ value }) => value >= low && value <= high)
    .map(({ factor, e, value }) => ({
      at: scale(value),
      text:
        Math.abs(e) < 3
          ? String(Number(value.toPrecision(1)))
          : `${factor === 1 ? '' : `${factor}·`}${powerOfTen(e)}`,
    }));
}

/** Returns a few whole exponents between two; `align` decides where a step begins. */
function powers(low: number, high: number, align: 'multiple' | 'first'): number[] {
  const [first, last] = [Math.ceil(low), Math.floor(high)];
  const step = Math.max(1, Math.ceil((last - first + 1) / MOST_TICKS));
  const found = [];
  const start = align === 'first' ? first : Math.ceil(first / step) * step;
  for (let e = start; e <= last; e += step) found.push(e);
  return found;
}

/** Room at both ends, for marks that stand aside. */
const PAD = 1.5;

function sizes(all: readonly number[], [from, to]: Range): Scaled {
  const [low = 1, high = 2] = extent(all);
  const scale = scaleLog([low / PAD, high * PAD], [from, to]);
  const found = powers(Math.log2(low), Math.log2(high), 'first').map((e) => 2 ** e);
  // Without it, a single size between two powers of two would leave the axis bare.
  const ticks = found.length > 0 ? found : [low];
  return { at: scale, lanes: [], ticks: ticks.map((n) => ({ at: scale(n), text: String(n) })) };
}

function steps(all: readonly number[], [from, to]: Range): Scaled {
  const [low = 0, high = 1] = extent(all);
  const scale = scaleLinear([low - 0.4, high + 0.4], [from, to]);
  const step = Math.max(1, Math.ceil((high - low + 1) / 10));
  const shown = [...new Set(all)].filter((level) => (level - low) % step === 0);
  return { at: scale, lanes: [], ticks: shown.map((level) => ({ at: scale(level), text: String(level) })) };
}

const TICKS = 5;

const linear =
  (nice: boolean) =>
  (all: readonly number[], [from, to]: Range): Scaled => {
    const [low = 0, high = 1] = extent(all);
    const plain = scaleLinear(low === high ? [low - 1, high + 1] : [low, high], [from, to]);
    const scale = nice ? plain.nice(TICKS) : plain;
    const text = scale.tickFormat(TICKS);
    const ticks = scale
      .ticks(TICKS)
      .map((value) => ({ at: scale(value), text: text(value).replaceAll(',', '') }));
    return { at: (value) => scale(value), lanes: [], ticks };
  };

const SCALES: Readonly<Record<Axis['scale'], (all: readonly number[], range: Range) => Scaled>> = {
  linear: linear(true),
  exact: linear(false),
  logarithmic,
  sizes,
  steps,
};

const UP = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Writes a power of ten: "10⁻⁷". */
function powerOfTen(exponent: number): string {
  const raised = [...String(Math.abs(exponent))].map((digit) => UP[Number(digit)]).join('');
  return `10${exponent < 0 ? '⁻' : ''}${raised}`;
}
