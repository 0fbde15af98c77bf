import type { Random } from '../base/random.ts';
import { matrix } from '../matrix/dense.ts';
import type { Format } from '../precision/format.ts';
import type { GivenStep } from './chain.ts';
import type { EntrySizes } from './entry-numbers.ts';
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
  /** Returns the typical size of entries behind steps. */
  sizeBehind(steps: readonly GivenStep[]): number;
  /** The format in which kernels have the numbers. */
  readonly format: Pick<Format, 'round' | 'bytes' | 'maxFinite' | 'minNormal'>;
  readonly random: Random;
}

/** Draws the numbers of steps. They are of the size of the entries that they meet, so that their absence is seen. */
export function drawSteps(kinds: readonly StepKind[], product: DrawnProduct): readonly GivenStep[] {
  const steps: GivenStep[] = [];
  let { n } = product.sizes;
  for (const { record, settings } of kinds) {
    const size = product.sizeBehind(steps);
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
  return of.isValid(rounded) ? rounded : x;
}
