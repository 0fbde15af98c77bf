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

/** The laboratory imports `src`, and nothing of `src` imports it. */
const LAB = { group: ['**/lab/**'], message: 'The laboratory is not published: src imports nothing of it.' };

/**
 * Writes Biome's rules for some rooms as JSON, one a line: no room imports from its own floor or a higher one, and no file of `src`,
 * a test or not, from the laboratory.
 */
export function floorRules(rooms: readonly Room[]): string {
  const message = 'A room imports from lower floors only; ARCHITECTURE.md has the order.';
  const ofRooms = rooms.map(({ name, floor }) => {
    const refused = rooms.filter((other) => other.floor >= floor && other.name !== name);
    const group = refused.map((other) => `**/${other.name}/**`);
    return refusing([`**/src/${name}/**/*.ts`, '!**/*.test.ts'], [LAB, { group, message }]);
  });
  const rules = [refusing(['**/src/*.ts', '**/src/**/*.test.ts'], [LAB]), ...ofRooms];
  return `{"overrides":[\n${rules.map((rule) => JSON.stringify(rule)).join(',\n')}\n]}\n`;
}

function refusing(includes: readonly string[], patterns: readonly (typeof LAB)[]) {
  const noRestrictedImports = { level: 'error', options: { patterns } };
  return { includes, linter: { rules: { style: { noRestrictedImports } } } };
}
