import { computeOnce } from '../base/memo.ts';
import { unknownName } from '../base/messages.ts';
import { lookUp } from '../base/objects.ts';
import { createRandom, type Random } from '../base/random.ts';
import { matrix } from '../matrix/dense.ts';
import { type Format, f32 } from '../precision/format.ts';
import { type GivenStep, readEpilogue } from './chain.ts';
import type { EntrySizes } from './entry-numbers.ts';
import { epilogueSteps } from './epilogues.ts';
import { badEpilogueStep } from './messages.ts';
import type { ParameterRecord, Settings } from './parameters.ts';
import type { EpilogueStep } from './step.ts';

/** The places of a tensor's numbers. */
const places = ['scalar', 'row', 'column'] as const;
/** The kind of a number that is drawn. */
const ANY = 'any';

/** A step without its numbers: kinds stand for those that are drawn, {@link places} for tensors and {@link ANY} for numbers. */
interface StepKind {
  readonly record: EpilogueStep;
  readonly settings: Settings;
}

/** The product behind which steps are drawn. */
interface DrawnProduct {
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
    let own: Settings = {};
    for (const [key, parameter] of Object.entries(record.parameters)) {
      const setting = lookUp(settings, key);
      if (setting === undefined) continue;
      const drawn = drawSetting(setting, parameter, n, product, (of) => drawNumber(of, size, own, product));
      own = { ...own, [key]: drawn };
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

/** The text of no epilogue. */
export const NO_EPILOGUE = 'none';

/** An epilogue without its numbers, as a case names it. */
export interface Chain {
  /** Its canonical text: `bias:row,gelu-tanh`. */
  readonly text: string;
  readonly steps: readonly StepKind[];
  /** The number of gates, each of which halves the columns. */
  readonly gates: number;
  /** The format of the codes that its last step makes, by name, if it makes any. */
  readonly codes?: string | undefined;
}

const known = new Map<string, Chain>();

/**
 * Reads a chain of steps, as in `bias:row,leaky-relu:0.1,requantize:int8:row:any`. Behind a step stand its settings in the order of its
 * parameters, those of default values left out: the place of a tensor (row, column or scalar), a word, a number, or `any` for a drawn one.
 * @throws ParanoiaError `unknown-name` for a step, `bad-epilogue`, `bad-epilogue-step`
 */
export const readChain = (text: string): Chain => computeOnce(known, text, readNew);

/** Reads chains with `|` between them: `none|bias:row,relu`. @throws ParanoiaError as {@link readChain} */
export const readChains = (text: string): readonly Chain[] => [
  ...new Map(text.split('|').map((one) => [readChain(one.trim()).text, readChain(one.trim())])).values(),
];

function readNew(text: string): Chain {
  const steps = text === NO_EPILOGUE ? [] : text.split(',').map((word, at) => readKind(word.trim(), at));
  const gates = steps.filter(({ record }) => record.isGate === true).length;
  // What no numbers make valid is refused as a chain with numbers is.
  const sizes = { m: 2, n: 2 ** (gates + 1), batch: 1 };
  const valid = readEpilogue(
    drawSteps(steps, { sizes, sizeBehind: () => 1, format: f32, random: createRandom(1) }),
    sizes,
  );
  const codes = valid.steps.at(-1)?.run.target?.name;
  return { text: steps.length === 0 ? NO_EPILOGUE : steps.map(formatKind).join(), steps, gates, codes };
}

function readKind(word: string, at: number): StepKind {
  const [name, ...said] = word.split(':');
  const record = epilogueSteps.get(name);
  if (record === undefined)
    throw unknownName({ what: 'epilogue step', given: name, known: epilogueSteps.names });
  const refuse = (why: string) => badEpilogueStep({ at, step: name, why });
  const settings = new Map<string, unknown>();
  for (const value of said) {
    const found = Object.entries(record.parameters).find(
      ([key, parameter]) => !settings.has(key) && settingIn(value, parameter) !== undefined,
    );
    if (found === undefined) throw refuse(whyNoSetting(value, record, settings));
    settings.set(found[0], settingIn(value, found[1]));
  }
  for (const [key, parameter] of Object.entries(record.parameters)) {
    const { words, tensor, usual, isOptional } = parameter;
    if (settings.has(key) || isOptional === true) continue;
    if (usual === undefined && words !== undefined) throw refuse(`"${key}" is missing: ${parameter.need}`);
    if (tensor === 'any' && key === record.main)
      throw refuse(`"${key}" needs a place, as in ${name}:row: one of ${places.join(', ')}`);
    settings.set(key, kindOf(parameter));
  }
  return { record, settings: Object.fromEntries(settings) };
}

/** Explains why a text is no setting of a step, as a clause: what may still be set, or that nothing may. */
function whyNoSetting(
  value: string,
  { parameters }: StepKind['record'],
  settings: ReadonlyMap<string, unknown>,
): string {
  const open = Object.entries(parameters).filter(
    ([key, { tensor }]) => !settings.has(key) && tensor !== 'all',
  );
  if (open.length === 0) return `"${value}" is one setting too many`;
  const needs = open.map(([key, { tensor, need }]) =>
    tensor === 'any' ? `${key}: one of ${places.join(', ')}` : `${key}: ${need}`,
  );
  return `"${value}" is none of its settings (${needs.join('; ')})`;
}

/** Returns the setting that a text has for a parameter; undefined if it has none. */
function settingIn(value: string, { words, tensor, isValid }: ParameterRecord): unknown {
  if (words !== undefined) return words.includes(value) ? value : undefined;
  if (tensor !== undefined) return tensor === 'any' ? places.find((place) => place === value) : undefined;
  if (value === ANY) return value;
  const number = value === '' ? Number.NaN : Number(value);
  return isValid(number) ? number : undefined;
}

/** Returns the kind of a parameter that a text leaves out. */
const kindOf = ({ tensor, usual }: ParameterRecord): unknown =>
  tensor === 'all' ? 'matrix' : tensor === 'any' ? 'scalar' : (usual ?? ANY);

function formatKind({ record, settings }: StepKind): string {
  const said = Object.entries(record.parameters).flatMap(([key, parameter]) => {
    const value = lookUp(settings, key);
    const isLeftOut =
      value === undefined ||
      (value === kindOf(parameter) && (key !== record.main || parameter.tensor !== 'any'));
    return isLeftOut ? [] : [String(value)];
  });
  return [record.name, ...said].join(':');
}
