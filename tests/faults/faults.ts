import type { Golden } from './golden.ts';
import { howsOf, type Kind, kinds, type Role } from './kinds.ts';
import type { Suffering } from './run-once.ts';

/** One fault of one run. */
export interface Fault extends Suffering {
  readonly scenario: string;
  readonly kind: string;
}

/** The name of a fault, by which it is run again: scenario, kind, process, step and how. */
export const idOf = ({ scenario, kind, role, at, how }: Fault): string =>
  `${scenario}/${kind}/${role}/${at}/${how}`;

/** Which faults of a scenario are injected. */
export interface Choice {
  /** Of each kind and role, at most. Default: as many as the kind has, by how much the scenario is thinned. */
  readonly most?: number | undefined;
  readonly seed: number;
  readonly isAsked: (id: string) => boolean;
}

/** The faults of a scenario that are injected, and how many there are. */
export interface Chosen {
  readonly faults: readonly Fault[];
  /** By scenario, kind and role. */
  readonly possible: Readonly<Record<string, number>>;
}

/** The faults of a scenario: of every kind each step in each way, or those that a seed draws where that is too many. */
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

/** So many of a list, evenly spread over it, each in a way that a seed chooses; all of a short one. */
function sampled(faults: readonly Fault[], most: number, seed: number): readonly Fault[] {
  if (faults.length <= most) return faults;
  const stride = faults.length / most;
  // A golden fraction: neither all in the same way, nor the same ones for every seed.
  const drawn = (at: number) => Math.floor(stride * (at + (((seed + at) * 0.6180339887) % 1)));
  return [
    ...new Set(Array.from({ length: most }, (_, at) => faults[Math.min(drawn(at), faults.length - 1)])),
  ];
}
