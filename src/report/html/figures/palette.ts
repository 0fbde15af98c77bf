import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';
import { html, type Markup } from '../markup.ts';

/** A triangle that stands on its tip. */
const symbolTip: SymbolType = {
  draw(context, size) {
    const half = Math.sqrt(size / Math.sqrt(3));
    context.moveTo(-half, -half * 0.8);
    context.lineTo(half, -half * 0.8);
    context.lineTo(0, half * 0.95);
    context.closePath();
  },
};

// Every hue has a color and a shape of its own, so that figures are legible in gray too.
const SHAPES = [
  ...[symbolCircle, symbolSquare, symbolTriangle, symbolDiamond],
  ...[symbolCross, symbolTip, symbolWye, symbolStar],
];

/** The number of hues that figures can distinguish. */
export const MOST_HUES = SHAPES.length;

const FIRST = ['classical', 'strassen', 'winograd'];

/** The numbers of hues' colors and shapes; hues without one are not drawn. */
export type Hues = ReadonlyMap<string, number>;

/**
 * Assigns numbers of colors and shapes to hues. Those of our algorithms are the same in every report, unless other hues need them. Hues
 * beyond the largest number are left out.
 */
export function hueNumbers(names: Iterable<string>): Hues {
  const found = [...new Set(names)];
  const others = found.filter((name) => !FIRST.includes(name));
  const known = FIRST.filter((name) => found.includes(name));
  const [kept, from] =
    others.length + FIRST.length <= MOST_HUES ? [FIRST, FIRST.length] : [known, known.length];
  const numbers = known.map((name) => [name, kept.indexOf(name)] as const);
  return new Map([
    ...numbers,
    ...others.slice(0, MOST_HUES - from).map((name, at) => [name, from + at] as const),
  ]);
}

const AREA = 34;

/** Renders the definitions of the shapes. Figures refer to them as `#s0`, `#s1`, … to a cross as `#px`, to a ring as `#po`. */
export function shapeDefinitions(): Markup {
  const paths = SHAPES.map(
    (shape, at) => html`<path id="s${at}" d="${roundPath(symbol(shape, AREA)() ?? '')}"/>`,
  );
  return html`<svg class="defs" width="0" height="0" aria-hidden="true"><defs>${paths}<path id="px" d="M-4-4L4 4M-4 4L4-4"/><g id="po"><circle r="7"/><circle r="7"/></g></defs></svg>`;
}

/** Rounds a path's coordinates to one decimal: more cannot be seen. */
export function roundPath(path: string): string {
  return path.replace(/-?\d+\.\d+(e-?\d+)?/g, (number) => String(roundToTenth(Number(number))));
}

/** Rounds a coordinate to one decimal. */
export function roundToTenth(x: number): number {
  return Math.round(x * 10) / 10 || 0;
}
