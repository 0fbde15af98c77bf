import type { Golden } from './golden.ts';
import { howsOf, type Kind, kinds, type Role } from './kinds.ts';
import type { Suffering } from './run-once.ts';

/** A fault of a run. */
export interface Fault extends Suffering {
  readonly scenario: string;
  readonly kind: string;
}

/** The name of a fault, by which it can be run again: scenario, kind, process, step and effect. */
export const idOf = ({ scenario, kind, role, at, how }: Fault): string =>
  `${scenario}/${kind}/${role}/${at}/${how}`;

/** The choice of faults to inject. */
export interface Choice {
  /** The most faults of each kind and role. @defaultValue the kind's number, divided by the scenario's factor */
  readonly most?: number | undefined;
  readonly seed: number;
  readonly isAsked: (id: string) => boolean;
}

/** The faults of a scenario to inject, and the number of possible ones. */
export interface Chosen {
  readonly faults: readonly Fault[];
  /** The number of possible faults, by scenario, kind and role. */
  readonly possible: Readonly<Record<string, number>>;
}

/** The faults of a scenario: each step of every kind with each effect, or a sample drawn by a seed if these are too many. */
export async function faultsIn(golden: Golden, { most, seed, isAsked }: Choice): Promise<Chosen> {
  const { name, kinds: own, thinned = 1 } = golden.scenario;
  const faults: Fault[] = [];
  const possible: Record<string, number> = {};
  for (const kind of kinds.filter((one) => own?.includes(one.name) ?? true)) {
    for (const role of kind.roles) {
      if (!isAsked(`${name}/${kind.name}/${role}/`)) continue;
      const every = faultsOfKind(name, kind, role, await stepsOf(golden, kind, role));
      possible[`${name}/${kind.name}/${role}`] = every.length;
      const asked = every.filter((fault) => isAsked(idOf(fault)));
      faults.push(...sampled(asked, most ?? Math.ceil(kind.most / thinned), seed));
    }
  }
  return { faults, possible };
}

/** The steps of a kind that a process takes. */
function stepsOf(golden: Golden, { name, steps = [name] }: Kind, role: Role): Promise<readonly string[]> {
  return golden.run({ steps, role, at: 0, how: '' }, async (ran) => ran.steps);
}

function faultsOfKind(scenario: string, kind: Kind, role: Role, taken: readonly string[]): Fault[] {
  const { name, steps = [name] } = kind;
  return taken.flatMap((step, before) =>
    howsOf(kind, step).map((how) => ({ scenario, kind: name, steps, role, at: before + 1, how })),
  );
}

/** A sample of a list, evenly spread, each fault with an effect that a seed chooses; all of a short list. */
function sampled(faults: readonly Fault[], most: number, seed: number): readonly Fault[] {
  if (faults.length <= most) return faults;
  const stride = faults.length / most;
  // Golden-ratio steps vary the effects, and choose different faults for each seed.
  const drawn = (at: number) => Math.floor(stride * (at + (((seed + at) * 0.6180339887) % 1)));
  return [
    ...new Set(Array.from({ length: most }, (_, at) => faults[Math.min(drawn(at), faults.length - 1)])),
  ];
}
