import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';

/** A curve of positive numbers. */
export interface Curve {
  readonly hue: string;
  /** The pattern of its stroke; empty for a solid one. */
  readonly dashes: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Draws curves on logarithmic axes, as an SVG. All have the same abscissas, which are the ticks. */
export function logPlot(curves: readonly Curve[], title: string, height: number): string {
  const [width, left, bottom] = [640, 60, 30];
  const ticksX = curves[0].points.map(([at]) => at);
  const all = curves.flatMap(({ points }) => points.map(([, value]) => value));
  const x = scaleLog([ticksX[0], ticksX[ticksX.length - 1]], [left, width - 20]);
  const y = scaleLog([Math.min(...all), Math.max(...all)], [height - bottom, 10]);
  const ticksY = y.ticks(5).filter((value) => Math.abs(Math.log10(value) % 1) < 1e-9);
  const marks = [
    ...ticksX.map((at) => `<text x="${tenth(x(at))}" y="${height - 8}" text-anchor="middle">${at}</text>`),
    ...ticksY.map(
      (value) =>
        `<path d="M${left} ${tenth(y(value))}H${width - 20}" stroke="currentColor" opacity=".2"/><text x="${left - 6}" y="${tenth(y(value) + 4)}" text-anchor="end">${value.toExponential(0)}</text>`,
    ),
  ];
  const paths = curves.map(({ hue, dashes, points }) => {
    const path = line(
      ([at]: Curve['points'][number]) => tenth(x(at)),
      ([, value]) => tenth(y(value)),
    )([...points]);
    return `<path d="${path}" fill="none" stroke="${hue}" stroke-width="2" stroke-dasharray="${dashes}"/>`;
  });
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}" style="font:12px sans-serif;stroke:none;fill:currentColor">${marks.join('')}${paths.join('')}</svg>`;
}

const tenth = (value: number): number => Math.round(10 * value) / 10;
