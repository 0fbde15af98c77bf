import type { Algorithm } from '../../algorithms/algorithm.ts';
import type { GpuProgram } from '../../gpu/wgsl/dispatches.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { faultNotPlanted } from '../messages.ts';

export const faultClasses = [
  'indexing',
  'edges',
  'layout',
  'synchronisation',
  'schedule',
  'precision',
  'special-values',
  'non-determinism',
  'batch',
] as const;
export type FaultClass = (typeof faultClasses)[number];

type Dispatches = GpuProgram['dispatches'];
type Dispatch = Dispatches[number];

/** The changes of a planted fault: to the executed algorithm, to the steps of its plan, or to their dispatches. */
export interface Tampering {
  algorithm?(claimed: Algorithm): Algorithm;
  steps?(all: readonly Step[]): readonly Step[];
  /** Changes the dispatches. @param first for each shader, the dispatches of the first product that has it. */
  dispatches?(all: Dispatches, first: Dispatches): Dispatches;
  /** True if a product meets the fault, by the number of the kernel's earlier products. @defaultValue always */
  meets?(before: number): boolean;
}

/** A fault planted on purpose to test the gate. */
export interface Fault {
  readonly name: string;
  readonly class: FaultClass;
  /** Description of the fault, as a clause. */
  readonly what: string;
  readonly kernel: string;
  /** Levels at which the fault can show: a wrong schedule needs at least one. */
  readonly levels: readonly number[];
  /** The precision in which it is planted. @defaultValue 'f32' */
  readonly precision?: string | undefined;
  /** Text that the gate's message must have about the region of the fault. */
  readonly pointsAt: RegExp;
  readonly tampering: Tampering;
  /** The reason for which the gate cannot see it, as a clause after "because"; absent where it must. */
  readonly unseen?: string | undefined;
  /** Its place among faults that differ only in size. */
  readonly rung?: LadderFault | undefined;
}

/** A fault of a ladder: the same fault in several sizes, the largest first, to find the smallest that the gate detects. */
export interface LadderFault {
  readonly ladder: string;
  /** Its size in words: "22 bits". */
  readonly size: string;
}

/** The changes of a fault, with edits of shaders. */
interface Changes extends Tampering {
  readonly edits?: readonly (ShaderEdit | AlternativeEdits)[];
}

/** The description of a fault. Without a text to look for, the message must name a number of entries. */
type Said = Pick<Fault, 'what' | 'precision' | 'unseen'> & {
  /** Text of the message. A function computes it on demand, since every command loads all faults. */
  readonly pointsAt?: RegExp | (() => RegExp);
};

export function faultsIn(
  kind: FaultClass,
  kernel: string,
  levels: readonly number[],
  named: Readonly<Record<string, Said & Changes>>,
): Fault[] {
  return Object.entries(named).map(
    ([name, { what, pointsAt = /entries/, precision, unseen, ...changes }]) => {
      const tampering = tamperingOf(changes);
      return {
        ...{ name, class: kind, what, kernel, levels, precision, tampering, unseen },
        get pointsAt() {
          return typeof pointsAt === 'function' ? pointsAt() : pointsAt;
        },
      };
    },
  );
}

interface Ladder extends Pick<Fault, 'precision'> {
  /** Description, as a clause with the size in words between ‹ and ›, # for the number: "‹# bits›". */
  readonly what: string;
  /** Sizes, the largest fault first. */
  readonly sizes: readonly number[];
  readonly plant: (size: number) => Changes;
}

/** Returns the rungs of a class's ladders in a kernel as faults of their own: `row-index-64`. */
export function laddersIn(
  kind: FaultClass,
  kernel: string,
  levels: readonly number[],
  named: Readonly<Record<string, Ladder>>,
): Fault[] {
  return Object.entries(named).flatMap(([ladder, { what, sizes, plant, precision }]) =>
    sizes.map((one): Fault => {
      const [before, size, after] = what.replace('#', `${one}`).split(/[‹›]/);
      return {
        name: `${ladder}-${size.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}`,
        what: `${before}${size}${after}`,
        // A ladder tests only which sizes are detected.
        ...{ class: kind, kernel, levels, precision, pointsAt: /./ },
        tampering: tamperingOf(plant(one)),
        rung: { ladder, size },
      };
    }),
  );
}

const tamperingOf = ({ edits, ...tampering }: Changes): Tampering =>
  edits === undefined ? tampering : { ...tampering, dispatches: (all) => editShaders(all, edits) };

/** A replacement in a shader: a text or pattern, and its new text. */
export type ShaderEdit = readonly [from: string | RegExp, to: string];

/** Edits of variants of one shader: a program contains one of their texts. */
export interface AlternativeEdits {
  readonly either: readonly ShaderEdit[];
}

/** Edits every shader that contains a text; the others stay unchanged. Edits apply in turn, and each must match. */
function editShaders(dispatches: Dispatches, edits: readonly (ShaderEdit | AlternativeEdits)[]): Dispatches {
  return edits.reduce((before, edit) => {
    const all = 'either' in edit ? edit.either : [edit];
    const replace = (text: string) => all.reduce((shader, [from, to]) => shader.replace(from, to), text);
    const after = before.map((dispatch) => ({ ...dispatch, shader: replace(dispatch.shader) }));
    if (after.some(({ shader }, at) => shader !== before[at].shader)) return after;
    throw faultNotPlanted({ why: `no shader of this product has ${all.map(([from]) => from).join(' or ')}` });
  }, dispatches);
}

/**
 * Plants a fault in the products of a kernel, which must come in turn.
 * @returns a function from a product's claimed and executed plans to the program to run.
 * @throws ParanoiaError `fault-not-planted` where that would be an honest one, which tests nothing.
 */
export function createPlanter({ steps, dispatches, meets }: Tampering) {
  let before = 0;
  const first: Dispatch[] = [];
  return (claimed: Plan, executed: Plan, programOf: (plan: Plan) => GpuProgram): GpuProgram => {
    const honest = programOf(claimed);
    // Empty products have no dispatches, and products without terms another one.
    const known = new Set(first.map(({ shader }) => shader));
    first.push(...honest.dispatches.filter(({ shader }) => !known.has(shader)));
    if (meets?.(before++) === false) return honest;
    const made = programOf(steps === undefined ? executed : { ...executed, steps: steps(executed.steps) });
    const changed = { ...made, dispatches: dispatches?.(made.dispatches, first) ?? made.dispatches };
    if (contentOf(changed) !== contentOf(honest)) return changed;
    throw faultNotPlanted({ why: 'it changes none of the steps that run' });
  };
}

/** Returns the parts of a program that decide its result. */
const contentOf = ({ dispatches, layoutWords }: GpuProgram): string =>
  JSON.stringify([dispatches.map(({ label: _, ...rest }) => rest), [...layoutWords]]);

/** Every level of the default gate. */
export const ALL_LEVELS = [0, 1, 2, 3];
/** Levels at which a fast algorithm recurses. */
export const FAST_LEVELS = [1, 2, 3];

/** Returns a predicate that is true for the last of every `every` products. */
export const everyNth =
  (every: number) =>
  (before: number): boolean =>
    before % every === every - 1;
