import type { Shape } from '../../matrix/dense.ts';
import { badKernel } from '../../precision/messages.ts';
import { formatCount } from '../../report/numbers.ts';
import { whyNotComputed } from '../check-kernel.ts';
import { type AcceptedProducts, sayings, whyInvalidStatement } from '../claim-records.ts';
import type { KernelSpec } from '../claims.ts';
import { noKernelIn } from '../messages.ts';
import type { KernelBindings } from '../on-gpu/wgsl-run.ts';
import type { WgslKernel } from '../user-kernel.ts';
import { chooseKernel } from './exported-kernel.ts';
import type { FileOrigin } from './file-origin.ts';
import { type WgslHeader, wgslHeader } from './wgsl-header.ts';

/** The origin of a text: a file, or pasted text. */
export type TextOrigin = Pick<FileOrigin, 'file' | 'name' | 'symbol'>;

/** The number of workgroups that every device supports in one dimension. */
const MOST = 65_535;

/**
 * Reads a kernel from WGSL, for A·B alone; its source tells bindings, sizes and workgroups. Of the two arrays that are read, A is the one
 * named a, or bound first; C is the one that is written. The source gets m, k and n by a uniform that begins with them, or by overrides of
 * these names. A workgroup computes as many columns and rows of C as its size says, or the line `// tile: 64x32`, rows first; x counts
 * columns. {@link WgslHeader} describes all header lines.
 * @param origin the origin of the text, for messages, and the requested function.
 * @throws ParanoiaError `no-kernel-in`
 */
export function wgslText(origin: TextOrigin, source: string): WgslKernel {
  const { file, name } = origin;
  const refuse: Refuse = (why) => noKernelIn({ file, why });
  const parts = wgslParts(source);
  const { header } = parts;
  if (header.wrong !== undefined) throw refuse(header.wrong);
  const known = parts.entryPoints.map((entry) => entry.name);
  const named = { ...origin, symbol: origin.symbol ?? header.entry };
  const entryPoint = chooseKernel(named, known, { what: '@compute function', usual: 'main' });
  const { bindings, precision } = buffersOf(parts, refuse);
  const overrides = parts.overrides.filter((one) => /^[mkn]$/i.test(one));
  if (bindings.sizes === undefined && overrides.length < 3)
    throw refuse(
      'cannot know the sizes: it has neither a uniform of m, k and n nor overrides of these names',
    );
  const grid = gridOf(parts, parts.entryPoints[known.indexOf(entryPoint)], refuse);
  return {
    ...{ name, precision },
    ...(header.said.claims && { claims: header.said.claims }),
    accepts: takenOf(header.said.accepts, name, refuse, (shape) =>
      grid(shape).every((count) => count <= MOST),
    ),
    wgsl: {
      ...{ source, entryPoint, bindings },
      constants: (gemm) =>
        Object.fromEntries(overrides.map((one) => [one, gemm[one.toLowerCase() as keyof Shape]])),
      workgroups: grid,
    },
  };
}

type Refuse = (why: string) => Error;

/** The features possible for a shader that gets only m, k and n. */
const KNOWN: readonly string[] = ['sizes', 'narrow', 'empty'];

/** Restricts the products that the header accepts to shapes whose workgroups fit. */
function takenOf(
  said: AcceptedProducts | undefined,
  name: string,
  refuse: Refuse,
  fits: (shape: Shape) => boolean,
): KernelSpec['accepts'] {
  const why = whyInvalidStatement('accepts', said, sayings.accepts);
  if (why !== undefined) throw badKernel({ kernel: `"${name}"`, why });
  const beyond = Object.entries(said ?? {}).find(([key, value]) => value === true && !KNOWN.includes(key));
  if (beyond !== undefined)
    throw refuse(`accepts ${beyond[0]}, but a WGSL file gets only m, k and n. Write a config for it`);
  const sizes = (shape: Shape) =>
    fits(shape)
      ? (whyNotComputed({ name, accepts: said?.sizes }, shape) ?? true)
      : `it would need more than ${MOST} workgroups in a dimension`;
  return said === undefined ? sizes : { ...said, sizes };
}

function buffersOf(parts: WgslParts, refuse: Refuse): { bindings: KernelBindings; precision: string } {
  const { variables, fields, header } = parts;
  if (header.bindings !== undefined) {
    const c = variables.find(({ binding }) => binding === header.bindings?.c);
    if (c === undefined) throw refuse('has no variable at the binding that its header names for C');
    return { bindings: header.bindings, precision: header.precision ?? precisionOf(c) };
  }
  const arrays = variables.filter(({ space }) => space === 'storage');
  const [sizes, ...more] = variables.filter(({ space }) => space === 'uniform');
  const named = (name: string) => arrays.find((one) => one.name.toLowerCase() === name);
  const read = arrays.filter(({ isWritten }) => !isWritten).sort((x, y) => x.binding - y.binding);
  const c = named('c') ?? arrays.find(({ isWritten }) => isWritten);
  const [a, b] = [named('a') ?? read[0], named('b') ?? read[1]];
  const isWhole = arrays.length === 3 && more.length === 0 && new Set([a, b, c]).size === 3;
  if (!isWhole || a === undefined || b === undefined || c === undefined) {
    if (arrays.length === 0)
      throw refuse(
        'declares no storage arrays. A and B need arrays to read, C needs one to write. Correct the shader',
      );
    const found = arrays.map((one) => one.name).join(', ');
    const count = more.length + Number(sizes !== undefined);
    const uniforms = count === 0 ? '' : ` and ${formatCount(count, 'uniform')}`;
    throw refuse(
      `declares the storage arrays ${found}${uniforms}. A shader needs three arrays, A and B to read and C to write. One uniform variable may hold the sizes. For other bindings, write a config`,
    );
  }
  if (sizes !== undefined) requireOrder(sizes, fields(sizes.type), refuse);
  return {
    bindings: { a: a.binding, b: b.binding, c: c.binding, sizes: sizes?.binding },
    precision: header.precision ?? precisionOf(c),
  };
}

const precisionOf = ({ type }: BufferVariable) => (/\bf16\b|\bvec\dh\b/.test(type) ? 'f16' : 'f32');

/** Checks the order of sizes in a struct by the names of its fields. */
function requireOrder({ type }: BufferVariable, fields: readonly string[], refuse: Refuse): void {
  const order = fields.map((field) => field.toLowerCase()).filter((field) => /^[mkn]$/.test(field));
  if (order.length === 0 || order.join() === 'm,k,n') return;
  throw refuse(
    `has the order ${order.join(', ')} in ${type}, but its uniform holds m, k, n and 0. Put them in that order`,
  );
}

/** Returns the workgroups of a shape: along the columns of C, and along its rows. */
function gridOf({ header, readsY }: WgslParts, { name, size }: EntryPoint, refuse: Refuse) {
  const [x, y] = size;
  const { tile, workgroups } = header;
  if (workgroups !== undefined) {
    return (shape: Shape): [number, number, number] => {
      const [alongX, alongY = 1, alongZ = 1] = workgroups(shape);
      return [alongX, alongY, alongZ];
    };
  }
  if (tile === undefined && (x === undefined || y === undefined)) {
    throw refuse(
      `does not give the @workgroup_size of ${name} in numbers. Give the tile of C that a workgroup computes in a line "// tile: 64x32"`,
    );
  }
  const { rows, cols } = tile ?? { rows: y as number, cols: x as number };
  const isLinear = tile === undefined && y === 1 && !readsY;
  return ({ m, n }: Shape): [number, number] =>
    isLinear ? [Math.ceil((m * n) / cols), 1] : [Math.ceil(n / cols), Math.ceil(m / rows)];
}

/** The parts of a WGSL source that say how to run it. */
interface WgslParts {
  readonly entryPoints: readonly EntryPoint[];
  readonly variables: readonly BufferVariable[];
  /** Names of `override` constants. */
  readonly overrides: readonly string[];
  readonly fields: (struct: string) => readonly string[];
  /** The header: comment lines that say how to run it. */
  readonly header: WgslHeader;
  /** True if the second component of any vector is read. */
  readonly readsY: boolean;
}

/** An entry point; its size is undefined where it is no plain number. */
interface EntryPoint {
  readonly name: string;
  readonly size: readonly [x: number | undefined, y: number | undefined];
}

/** A buffer of group 0. */
interface BufferVariable {
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
