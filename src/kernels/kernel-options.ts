import { hintOf } from '../base/nearest.ts';
import { isRecord } from '../base/objects.ts';

/** Options of every kernel. */
const COMMON = ['name', 'precision', 'scales', 'claims', 'accepts', 'timeLimit'];

type Way = 'multiply' | 'wgsl' | 'encode' | 'program';

/** Further options, by the way of multiplying. */
const BY_WAY: Readonly<Record<Way, readonly string[]>> = {
  multiply: ['multiply', 'prepare', 'multiplyGroup', 'release', 'entries', 'usesAdapter', 'versions'],
  wgsl: ['wgsl'],
  encode: ['encode', 'entries'],
  program: ['program'],
};

const ways = Object.keys(BY_WAY) as Way[];

/** Keys within an option. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  wgsl: ['source', 'entryPoint', 'bindings', 'constants', 'workgroups', 'entries'],
  'wgsl.bindings': ['a', 'b', 'c', 'd', 'sizes', 'factors'],
  program: ['command', 'mode', 'cwd', 'env'],
};

type Loose = Readonly<Record<string, unknown>>;

/** True for plain objects. Instances of classes have state of their own; so have keys that begin with an underscore. */
const isPlain = (value: object): boolean =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as never);
const saidIn = (value: Loose): string[] =>
  Object.entries(isPlain(value) ? value : {}).flatMap(([key, said]) =>
    key.startsWith('_') || said === undefined ? [] : [key],
  );

/**
 * Describes an option that would not be read, as a clause: an unknown one, or one of another way to multiply; undefined where all are
 * known.
 */
export function unreadOption(kernel: Loose): string | undefined {
  const way = ways.find((one) => kernel[one] !== undefined);
  if (way === undefined) return undefined;
  const known = [...COMMON, ...BY_WAY[way]];
  const wrong = saidIn(kernel).find((key) => !known.includes(key));
  if (wrong !== undefined) {
    const others = ways.filter((other) => BY_WAY[other].includes(wrong));
    if (others.length > 0)
      return `its option ${wrong} belongs to a kernel with ${others.join(' or ')}, but it has ${way}`;
    return `it has the unknown option "${wrong}"${hintOf(wrong, known)}`;
  }
  for (const [place, keys] of Object.entries(WITHIN)) {
    const path = place.split('.') as ('wgsl' | 'bindings' | 'program')[];
    const value = path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), kernel);
    const unknown = isRecord(value) ? saidIn(value).find((key) => !keys.includes(key)) : undefined;
    if (unknown !== undefined)
      return `its \`${place}\` has the unknown key "${unknown}"${hintOf(unknown, keys)}`;
  }
  return undefined;
}
