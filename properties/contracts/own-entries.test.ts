import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isBinaryExpression,
  isBindingElement,
  isComputedPropertyName,
  isElementAccessExpression,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API, type Checker, type Project, type Type, TypeFlags } from 'typescript/unstable/sync';
import { expect } from 'vitest';
import { itWhole } from '../../src/base/in-short.testing.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the key of `object[key]`, of `key in object`, and of `{ [key]: value } = object`. */
function keyOf(node: Node): Node | undefined {
  if (isElementAccessExpression(node)) return node.argumentExpression;
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) return node.left;
  const name = isBindingElement(node) ? node.propertyName : undefined;
  return name !== undefined && isComputedPropertyName(name) ? name.expression : undefined;
}

/** True if a value may be any text: no literals, number or `keyof` restrict it. */
function isAnyText(type: Type | undefined, checker: Checker): boolean {
  if (type === undefined) return false;
  if (type.isUnionType()) return type.getTypes().some((one) => isAnyText(one, checker));
  if (type.isTypeParameter()) return isAnyText(checker.getConstraintOfTypeParameter(type), checker);
  return (type.flags & (TypeFlags.String | TypeFlags.Any)) !== 0;
}

/** Returns the places in a project's files where any text may be the key of an object, as `file:line`. */
function accessesByText({ program, checker }: Project, folder: string): string[] {
  const isOurs = (name: string) => name.startsWith(folder) && !/\.(d|test|testing)\.ts$/.test(name);
  return program
    .getSourceFileNames()
    .filter(isOurs)
    .flatMap((name) => {
      const file = program.getSourceFile(name);
      const keys: Node[] = [];
      const visit = (node: Node) => {
        const key = keyOf(node);
        if (key !== undefined) keys.push(key);
        node.forEachChild(visit);
      };
      file?.forEachChild(visit);
      const types = checker.getTypeAtLocation(keys);
      const found = keys.filter((_, at) => isAnyText(types[at], checker));
      const lineOf = (key: Node) => file?.text.slice(0, key.getStart(file)).split('\n').length;
      return found.map((key) => `${relative(root, name)}:${lineOf(key)}`);
    });
}

/** Returns all accesses by any text in files of a folder, which several compiler configurations cover together. */
function accessesIn(folder: string, configs: readonly string[]): string[] {
  const api = new API({ cwd: root });
  try {
    const projects = api.updateSnapshot({ openProjects: [...configs] }).getProjects();
    return [...new Set(projects.flatMap((project) => accessesByText(project, folder)))];
  } finally {
    api.close();
  }
}

itWhole(
  'no object is accessed by a name that may be any: lookUp alone does, which asks for own entries',
  () => {
    const configs = ['tsconfig.json', 'config/tsconfig.core.json'].map((name) => join(root, name));
    expect(accessesIn(join(root, 'src/'), configs)).toEqual([
      expect.stringMatching(/^src\/base\/objects\.ts:/),
    ]);
  },
);

const PLANTED = `declare const table: Record<string, number>;
declare const ours: Record<'a' | 'b', number>;
declare const numbers: number[];
export const reads = (name: string) => table[name];
export const writes = (name: string) => { table[name] = 1; };
export const asks = (name: string) => name in ours;
export const takes = (name: string) => { const { [name]: found } = table; return found; };
export const may = (name: 'a' | string) => table[name];
export const generic = <K extends string>(name: K) => (table as Record<K, number>)[name];
export const loose = (value: any, name: string) => value[name];
export const known = (name: 'a' | 'b', at: number) => ours[name] + table[name] + numbers[at];
export const keys = <T extends object>(value: T, key: keyof T) => value[key];
`;

itWhole('planted accesses by any text are found, those by literals, numbers and keyof are not', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'own-entries-')));
  try {
    const config = join(folder, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ compilerOptions: { strict: true, types: [] }, files: ['a.ts'] }));
    writeFileSync(join(folder, 'a.ts'), PLANTED);
    const lines = accessesIn(folder, [config]).map((place) => Number(place.split(':').at(-1)));
    expect(lines).toEqual([4, 5, 6, 7, 8, 9, 10]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
