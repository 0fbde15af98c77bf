import type { Algorithm } from '../../algorithms/algorithm.ts';
import type { Program } from '../../gpu/wgsl/dispatches.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { faultNotPlanted } from '../messages.ts';

/** What kind of mistake a fault is. */
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

type Dispatches = Program['dispatches'];
type Dispatch = Dispatches[number];

/** What a planted fault changes: the algorithm that is executed, the steps of its plan, or the dispatches of those. */
export interface Tampering {
  algorithm?(claimed: Algorithm): Algorithm;
  steps?(all: readonly Step[]): readonly Step[];
  /** @param first of each shader those of the first product that has it. */
  dispatches?(all: Dispatches, first: Dispatches): Dispatches;
  /** Whether a product is met, by how many of the kernel came before it. By default all are. */
  meets?(before: number): boolean;
}

/** A fault planted on purpose, to see the gate fail. */
export interface Fault {
  readonly name: string;
  readonly class: FaultClass;
  /** What is wrong with the kernel, in a clause. */
  readonly what: string;
  /** The kernel it is planted in. */
  readonly kernel: string;
  /** Levels at which the fault can show: a wrong schedule needs at least one. */
  readonly levels: readonly number[];
  /** The precision it is planted in. @defaultValue 'f32' */
  readonly precision?: string | undefined;
  /** What the gate's message must say of the cause's region. */
  readonly pointsAt: RegExp;
  readonly tampering: Tampering;
  /** Why the gate cannot see it, as a clause after "because"; absent where it must. */
  readonly unseen?: string | undefined;
  /** Its place among faults that differ in size alone. */
  readonly rung?: Rung | undefined;
}

/** A fault of a ladder: the same fault in several sizes, the largest first, to find the smallest that the gate still sees. */
export interface Rung {
  readonly ladder: string;
  /** How large it is, in words: "22 bits". */
  readonly size: string;
}

/** What a fault changes, with edits of shaders beside. */
interface Changes extends Tampering {
  readonly edits?: readonly (Edit | Either)[];
}

/** Without words to look for in the message, a number of entries will do. */
type Said = Pick<Fault, 'what' | 'precision' | 'unseen'> & {
  /** What takes long to say is said when it is asked for: every command loads all faults. */
  readonly pointsAt?: RegExp | (() => RegExp);
};

/** The faults of a class in a kernel, by name. */
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
  /** What is wrong, in a clause that has the size in words between ‹ and ›, # for the number: "‹# bits›". */
  readonly what: string;
  /** The largest fault first. */
  readonly sizes: readonly number[];
  readonly plant: (size: number) => Changes;
}

/** The rungs of a class's ladders in a kernel as faults of their own: `row-index-64`. */
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
        // Of a ladder only the size of what is seen is asked.
        ...{ class: kind, kernel, levels, precision, pointsAt: /./ },
        tampering: tamperingOf(plant(one)),
        rung: { ladder, size },
      };
    }),
  );
}

const tamperingOf = ({ edits, ...tampering }: Changes): Tampering =>
  edits === undefined ? tampering : { ...tampering, dispatches: (all) => editShaders(all, edits) };

/** A text of a shader, or what it looks like, and what takes its place. */
export type Edit = readonly [from: string | RegExp, to: string];

/** Edits of variants of one shader: a program has the text of one or the other. */
export interface Either {
  readonly either: readonly Edit[];
}

/** Changes every shader that has a text; others stay as they are. Edits are made in turn, and each must be one. */
function editShaders(dispatches: Dispatches, edits: readonly (Edit | Either)[]): Dispatches {
  return edits.reduce((before, edit) => {
    const all = 'either' in edit ? edit.either : [edit];
    const replace = (text: string) => all.reduce((shader, [from, to]) => shader.replace(from, to), text);
    const after = before.map((dispatch) => ({ ...dispatch, shader: replace(dispatch.shader) }));
    if (after.some(({ shader }, at) => shader !== before[at].shader)) return after;
    throw faultNotPlanted({ why: `no shader of this product has ${all.map(([from]) => from).join(' or ')}` });
  }, dispatches);
}

/**
 * Plants a fault in the products of a kernel, which are to come in turn.
 * @returns what makes of a product's plan, and of the plan that is executed, the program that is.
 *   @throws ParanoiaError `fault-not-planted` where that would be an honest one: it says nothing of the fault.
 */
export function planter({ steps, dispatches, meets }: Tampering) {
  let before = 0;
  const first: Dispatch[] = [];
  return (claimed: Plan, executed: Plan, programOf: (plan: Plan) => Program): Program => {
    const honest = programOf(claimed);
    // Products of nothing have no dispatches, those of no terms another one.
    const known = new Set(first.map(({ shader }) => shader));
    first.push(...honest.dispatches.filter(({ shader }) => !known.has(shader)));
    if (meets?.(before++) === false) return honest;
    const made = programOf(steps === undefined ? executed : { ...executed, steps: steps(executed.steps) });
    const changed = { ...made, dispatches: dispatches?.(made.dispatches, first) ?? made.dispatches };
    if (contentOf(changed) !== contentOf(honest)) return changed;
    throw faultNotPlanted({ why: 'it changes nothing of what runs' });
  };
}

/** What of a program decides what it computes. */
const contentOf = ({ dispatches, layoutWords }: Program): string =>
  JSON.stringify([dispatches.map(({ label: _, ...rest }) => rest), [...layoutWords]]);

/** Every level of the default gate. */
export const ALL_LEVELS = [0, 1, 2, 3];
/** Levels at which a fast algorithm is one. */
export const FAST_LEVELS = [1, 2, 3];

/** Whether a product is the last of so many in turn. */
export const oneIn =
  (every: number) =>
  (before: number): boolean =>
    before % every === every - 1;
