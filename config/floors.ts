import { readFileSync } from 'node:fs';

/** A folder of `src`, and the floor that it stands on. */
interface Room {
  readonly name: string;
  readonly floor: number;
}

/** Lists the rooms of ARCHITECTURE.md's table of floors, from the lowest floor up. */
export function listRooms(): readonly Room[] {
  const text = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
  return [...text.matchAll(/^\| (\d+) \| ([^|]+) \|/gm)].flatMap(([, floor, names]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => ({ name, floor: Number(floor) })),
  );
}

/** Writes Biome's rules for some rooms as JSON, one a line: no room imports from its own floor or a higher one. */
export function floorRules(rooms: readonly Room[]): string {
  const rules = rooms.map(({ name, floor }) => {
    const refused = rooms.filter((other) => other.floor >= floor && other.name !== name);
    const group = refused.map((other) => `**/${other.name}/**`);
    const message = 'A room imports from lower floors only; ARCHITECTURE.md has the order.';
    const noRestrictedImports = { level: 'error', options: { patterns: [{ group, message }] } };
    return {
      includes: [`**/src/${name}/**/*.ts`, '!**/*.test.ts'],
      linter: { rules: { style: { noRestrictedImports } } },
    };
  });
  return `{"overrides":[\n${rules.map((rule) => JSON.stringify(rule)).join(',\n')}\n]}\n`;
}
