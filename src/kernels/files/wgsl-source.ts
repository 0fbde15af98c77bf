import { type WgslHeader, wgslHeader } from './wgsl-header.ts';

/** The parts of a WGSL source that say how to run it. */
export interface WgslParts {
  readonly entryPoints: readonly EntryPoint[];
  readonly variables: readonly BufferVariable[];
  /** Names of `override` constants. */
  readonly overrides: readonly string[];
  /** Returns the fields of a struct. */
  readonly fields: (struct: string) => readonly string[];
  /** The header: comment lines that say how to run it. */
  readonly header: WgslHeader;
  /** True if the second component of any vector is read. */
  readonly readsY: boolean;
}

/** An entry point; its size is undefined where it is no plain number. */
export interface EntryPoint {
  readonly name: string;
  readonly size: readonly [x: number | undefined, y: number | undefined];
}

/** A buffer of group 0. */
export interface BufferVariable {
  readonly name: string;
  readonly binding: number;
  readonly space: 'storage' | 'uniform';
  readonly isWritten: boolean;
  readonly type: string;
}

// No two optional parts follow one another: a text of many attributes would take exponential time.
const ENTRY = /((?:@\w+\s*(?:\([^)]*\)\s*)?)+)fn\s+(\w+)/g;
const SIZE = /@workgroup_size\s*\(([^)]*)\)/;
const VARIABLE =
  /((?:@\w+\s*\([^)]*\)\s*)+)var\s*<\s*(storage|uniform)\s*(?:,\s*(\w+)\s*)?>\s*(\w+)\s*:\s*([^;]+);/g;
const CONSTANT = /\b(?:const|override)\s+(\w+)\s*(?::\s*\w+\s*)?=\s*(\d+)[iu]?\s*;/g;

/** Parses the relevant parts of a source. */
export function wgslParts(source: string): WgslParts {
  const code = source.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ' ');
  const constants = new Map([...code.matchAll(CONSTANT)].map(([, name, value]) => [name, Number(value)]));
  return {
    entryPoints: [...code.matchAll(ENTRY)]
      .filter(([, attributes]) => attributes.includes('@compute'))
      .map(([, attributes, name]) => ({ name, size: sizeIn(attributes, constants) })),
    variables: [...code.matchAll(VARIABLE)].map(([, attributes, space, access, name, type]) => ({
      ...{ name, space: space as BufferVariable['space'], type: type.trim() },
      binding: Number(/@binding\s*\(\s*(\d+)/.exec(attributes)?.[1]),
      isWritten: access === 'read_write' || access === 'write',
    })),
    overrides: [...code.matchAll(/\boverride\s+(\w+)/g)].map(([, name]) => name),
    fields: (struct) => fieldsIn(code, struct),
    header: wgslHeader(source),
    readsY: /\.(y|xy|yx)\b/.test(code),
  };
}

function sizeIn(attributes: string, constants: ReadonlyMap<string, number>): EntryPoint['size'] {
  const [x = '', y = '1'] = (SIZE.exec(attributes)?.[1] ?? '').split(',').map((part) => part.trim());
  const value = (word: string) => (/^\d+[iu]?$/.test(word) ? Number.parseInt(word, 10) : constants.get(word));
  return [value(x), value(y === '' ? '1' : y)];
}

function fieldsIn(code: string, struct: string): string[] {
  const body = new RegExp(`\\bstruct\\s+${struct}\\s*\\{([^}]*)\\}`).exec(code)?.[1] ?? '';
  return [...body.matchAll(/(\w+)\s*:/g)].map(([, name]) => name);
}
