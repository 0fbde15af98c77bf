import { type BlockPosition, blockName } from '../algorithms/algorithm.ts';
import { formatFirstTerm, formatNextTerm } from '../algorithms/schedule.ts';
import {
  type FactorSum,
  type LaunchedValues,
  type MultiplyStep,
  PRODUCT,
  type SlotTerm,
  type Step,
} from '../plan/plan.ts';

/** The names of a step's blocks, relative to its recursive call: `A11`, `T1`, … */
export interface StepNames {
  /** The factors of a product. */
  readonly operands: readonly string[];
  readonly slots: readonly string[];
  /** The computation in the paper's notation, one line for each row of a figure: `C11 = T1 + C11`. */
  readonly lines: readonly string[];
}

/** The names of a product: Z = X·Y. */
export interface ProductNames {
  readonly x: string;
  readonly y: string;
  readonly z: string;
}

const WHOLE: ProductNames = { x: 'A', y: 'B', z: 'C' };

/** Names a step's blocks and its computation. */
export function nameStep(step: Step): StepNames {
  const { launch } = step;
  if (step.kind === 'combine') {
    const adds = step.updates.some(({ terms }) => terms.length > 0);
    if (adds) return launch === undefined ? wholeNames(step) : launchedNames(launch, []);
    const { z } = callOf(launch);
    const { times } = step.slots[0];
    return { operands: [], slots: [z], lines: [times === undefined ? `${z} = 0` : `${z} = ${times} * ${z}`] };
  }
  const { x, y, z } = callOf(launch);
  if (step.primitive !== undefined) return fusedNames(step, { x, y, z });
  const { window } = step.x[0];
  if (window === undefined && launch !== undefined) {
    const names = launchedNames(launch, [x, y]);
    return { ...names, lines: [callText({ x, y, z }), ...names.lines] };
  }
  const [target] = step.slots;
  const completed = target.load
    ? `core of ${z} +`
    : `${(target.window?.row ?? 0) > 0 ? 'bottom' : 'right'} fringe of ${z} `;
  if (window !== undefined) return { operands: [x, y], slots: [z], lines: [`${completed}= ${x} * ${y}`] };
  const [{ terms }] = step.updates;
  const line = `${z} = ${sumText(terms.map(({ factor, slot }) => ({ factor, name: slot === PRODUCT ? `${x} * ${y}` : z })))}`;
  return { operands: [x, y], slots: [z], lines: [line] };
}

/** Names the combination of alpha and beta for whole matrices: C, and its old values. */
function wholeNames({ slots, updates }: Step): StepNames {
  const names = slots.map(({ block }) => (block.buffer === 'W' ? 'C0' : block.buffer));
  const lines = updates.map(({ target, terms }) => {
    const named = terms.map(({ factor, slot }) => ({ factor, name: names[slot] }));
    return `${names[target]} = ${sumText(named)}`;
  });
  return { operands: [], slots: names, lines };
}

/** Returns the product of a launch; without one, that of the whole matrices. */
export function callOf(launch: LaunchedValues | undefined): ProductNames {
  if (launch === undefined) return WHOLE;
  const { level, values } = launch;
  const product = level.values.all[values[0]];
  if (product.kind !== 'product') throw new Error(`${product.written} is not a product.`);
  return { x: nameOf(level, product.x), y: nameOf(level, product.y), z: nameOf(level, values[0]) };
}

/** Formats a product: `C11 = A11 * B11`. */
export const callText = ({ x, y, z }: ProductNames): string => `${z} = ${x} * ${y}`;

/** Names the slots of a launch, and its sums. */
function launchedNames(launch: LaunchedValues, operands: readonly string[]): StepNames {
  const { level, values, held } = launch;
  const lines = values.flatMap((at) => {
    const value = level.values.all[at];
    if (value.kind !== 'sum') return [];
    const terms = value.terms.map(({ factor, of }) => ({ factor, name: nameOf(level, of) }));
    return [`${nameOf(level, at)} = ${sumText(terms)}`];
  });
  return { operands, slots: held.map((value) => nameOf(level, value)), lines };
}

/** Returns the name in the schedule, or, where places are free, that of the place. */
function nameOf({ values, places, columns, free }: LaunchedValues['level'], value: number): string {
  const place = places[value];
  if (!free || place === undefined) return values.all[value].written;
  if (place.buffer === 'C') return blockName('C', Math.floor(place.at / columns), place.at % columns);
  const starts = places.flatMap((one) => (one?.buffer === 'W' ? [one.at] : []));
  return `T${new Set(starts.filter((at) => at <= place.at)).size}`;
}

function fusedNames({ x, y, slots, updates, times, path }: MultiplyStep, whole: ProductNames): StepNames {
  const product = `M${path[path.length - 1]}`;
  const sum = (name: string, factor: FactorSum) =>
    sumText(factor.map((addend) => ({ factor: addend.factor, name: partName(name, addend.part) })));
  const operands = [sum(whole.x, x), sum(whole.y, y)];
  const [a, b] = [x, y].map((factor, at) => (factor.length > 1 ? `(${operands[at]})` : operands[at]));
  const names = slots.map(({ part }) => partName(whole.z, part));
  const lines = slots.map(({ load, times }, at) => {
    const [name, { factor }] = [
      names[at],
      updates[at].terms.find(({ slot }) => slot === PRODUCT) as SlotTerm,
    ];
    if (!load) return `${name} = ${formatFirstTerm(factor, product)}`;
    if (times !== undefined) return `${name} = ${times} * ${name}${formatNextTerm(factor, product)}`;
    return `${name} ${factor < 0 ? '-' : '+'}= ${formatFirstTerm(Math.abs(factor), product)}`;
  });
  const scale = times === undefined ? '' : `${times} * `;
  return { operands, slots: names, lines: [`${product} = ${scale}${a} * ${b}`, ...lines] };
}

/** Names a part: `A12` of the whole operand, `T1.12` of a block. */
function partName(whole: string, part: BlockPosition | undefined): string {
  if (part === undefined) return whole;
  return blockName(whole.length === 1 ? whole : `${whole}.`, part.row, part.col);
}

/** Formats a sum: `A11 - 2*A12`; 0 without terms. */
export function sumText(terms: readonly { readonly factor: number; readonly name: string }[]): string {
  const [start, ...more] = terms;
  if (start === undefined) return '0';
  return (
    formatFirstTerm(start.factor, start.name) +
    more.map(({ factor, name }) => formatNextTerm(factor, name)).join('')
  );
}
