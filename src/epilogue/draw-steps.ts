import type { Random } from '../base/random.ts';
import { matrix } from '../matrix/dense.ts';
import type { Format } from '../precision/format.ts';
import { type GivenStep, readEpilogue } from './chain.ts';
import { doubleReals } from './double-reals.ts';
import type { EntrySizes } from './entry-numbers.ts';
import { exactResults } from './evaluate.ts';
import type { ParameterRecord, Settings } from './parameters.ts';
import type { EpilogueStep } from './step.ts';

/** The places of a tensor's numbers. */
export const places = ['scalar', 'row', 'column'] as const;
/** The kind of a number that is drawn. */
export const ANY = 'any';

/** A step without its numbers: kinds stand for those that are drawn, {@link places} for tensors and {@link ANY} for numbers. */
export interface StepKind {
  readonly record: EpilogueStep;
  readonly settings: Settings;
}

/** The product behind which steps are drawn. */
export interface DrawnProduct {
  readonly sizes: EntrySizes;
  /** Returns about the value of an entry; rows of a batch lie one below the other. */
  entry(i: number, j: number): number;
  /** The format in which kernels have the numbers. */
  readonly format: Pick<Format, 'round' | 'bytes' | 'maxFinite' | 'minNormal'>;
  readonly random: Random;
}

/** Draws the numbers of steps. They are of the size of the entries that they meet, so that their absence is seen. */
export function drawSteps(kinds: readonly StepKind[], product: DrawnProduct): readonly GivenStep[] {
  const steps: GivenStep[] = [];
  let { n } = product.sizes;
  for (const { record, settings } of kinds) {
    const size = typicalSize(steps, product);
    const own: Record<string, unknown> = {};
    for (const [key, parameter] of Object.entries(record.parameters)) {
      if (settings[key] === undefined) continue;
      own[key] = drawSetting(settings[key], parameter, n, product, (of) =>
        drawNumber(of, size, own, product),
      );
    }
    steps.push({ step: record.name, ...own });
    if (record.isGate === true) n /= 2;
  }
  return steps;
}

function drawSetting(
  kind: unknown,
  parameter: ParameterRecord,
  n: number,
  { sizes: { m, batch }, format }: DrawnProduct,
  draw: (of: ParameterRecord) => number,
): unknown {
  if (kind === ANY || kind === 'scalar') return draw(parameter);
  const { tensor } = parameter;
  if (tensor === undefined) return kind;
  const [rows, cols] = tensor === 'all' ? [batch * m, n] : kind === 'row' ? [1, n] : [m, 1];
  const numbers = Array.from({ length: rows * cols }, () => draw(parameter));
  return matrix(rows, cols, format.bytes > 4 ? Float64Array.from(numbers) : Float32Array.from(numbers));
}

/** Draws a number that the format holds, unless rounding makes it invalid. */
function drawNumber(of: ParameterRecord, size: number, settings: Settings, by: DrawnProduct): number {
  const x = of.draw?.(by.random, size, settings) ?? 0;
  const rounded = by.format.round(x);
  return of.type.safeParse(rounded).success ? rounded : x;
}

/** The most entries of which the typical size is taken. */
const SAMPLE = 15;

/** Returns the power of two nearest to the middle size of some entries after steps; 1 where all are 0 or not finite. */
function typicalSize(steps: readonly GivenStep[], { sizes, entry, format }: DrawnProduct): number {
  const { m, n, batch } = sizes;
  const epilogue = readEpilogue(steps, sizes);
  const cols = epilogue.steps.reduce((all, { record }) => (record.isGate === true ? all / 2 : all), n);
  const result = exactResults(epilogue, doubleReals, (i, j) => ({ lo: entry(i, j), hi: entry(i, j) }));
  const count = Math.min(SAMPLE, m * batch * cols);
  const found = Array.from({ length: count }, (_, at) => {
    const place = Math.floor((at * m * batch * cols) / count);
    return Math.abs(result(Math.floor(place / cols), place % cols).lo);
  });
  const sizesFound = found.filter((x) => x > 0 && x < Number.POSITIVE_INFINITY).sort((x, y) => x - y);
  const middle = sizesFound[Math.floor(sizesFound.length / 2)] ?? 1;
  const [least, most] = [format.minNormal * ROOM, format.maxFinite / ROOM];
  return 2 ** Math.round(Math.log2(Math.min(most, Math.max(least, middle))));
}

/** The factor by which sizes stay away from the ends of the range. */
const ROOM = 2 ** 6;
