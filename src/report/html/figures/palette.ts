import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';
import { html, type Markup } from '../markup.ts';

// Every hue has a colour and a shape of its own, so that figures read in grey too.
const SHAPES = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross, symbolWye];

/** How many hues figures tell apart. */
export const MOST_HUES = SHAPES.length;

const FIRST = ['classical', 'strassen', 'winograd'];

/** Hues with the numbers of their colours and shapes, the same in every report; those beyond the most are left out. */
export function hueNumbers(names: Iterable<string>): ReadonlyMap<string, number> {
  const found = new Set(names);
  const known = FIRST.filter((name) => found.has(name));
  const others = [...found].filter((name) => !FIRST.includes(name)).sort();
  const numbers = new Map(known.map((name) => [name, FIRST.indexOf(name)]));
  for (const name of others.slice(0, MOST_HUES - FIRST.length)) {
    numbers.set(name, FIRST.length + numbers.size - known.length);
  }
  return numbers;
}

const AREA = 34;

/** The shapes, drawn once; figures refer to them as `#s0`, `#s1`, … to a cross as `#px`, to a ring as `#po`. */
export function shapeDefinitions(): Markup {
  const paths = SHAPES.map(
    (shape, at) => html`<path id="s${at}" d="${rounded(symbol(shape, AREA)() ?? '')}"/>`,
  );
  return html`<svg class="defs" width="0" height="0" aria-hidden="true"><defs>${paths}<path id="px" d="M-4-4L4 4M-4 4L4-4"/><g id="po"><circle r="7"/><circle r="7"/></g></defs></svg>`;
}

/** A path with coordinates of one decimal: more cannot be seen. */
export function rounded(path: string): string {
  return path.replace(/-?\d+\.\d+(e-?\d+)?/g, (number) => String(tenth(Number(number))));
}

/** A coordinate with one decimal. */
export function tenth(x: number): number {
  return Math.round(x * 10) / 10 || 0;
}
