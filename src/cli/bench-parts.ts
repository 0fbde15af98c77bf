import { problem } from '../problems.ts';

const device = ['adapter', 'toggle'];
const trials = [...device, 'config', 'sizes', 'trials', 'warmUp', 'seconds', 'clock', 'seed', 'out', 'json'];

/** The options that each part of `bench` takes, by name in camel case; `all` stands for `bench` without a word. */
const options = {
  all: [...device, 'size', 'runs', 'gate', 'fuzz', 'json'],
  kernels: [...trials, 'kernels', 'levels', 'input', 'precision', 'border', 'edge'],
  study: [...trials, 'maxSize', 'shrink', 'beside', 'leaf', 'multiprocessors'],
  reference: ['size', 'runs', 'json'],
} as const;

/** What `bench` times, by the word behind it. */
export type BenchPart = keyof typeof options;

/** Refuses options of other parts, which would be given in vain. @throws Problem `unknown-name` */
export function refuseOthers(part: BenchPart, flags: Readonly<Record<string, unknown>>): void {
  const known: readonly string[] = [...options[part], 'verbose', '--'];
  // Options that can be negated are true where they are not given.
  const given = Object.keys(flags).filter((name) => flags[name] !== undefined && !isUsual(name, flags[name]));
  const other = given.find((name) => !known.includes(name));
  if (other === undefined) return;
  const what = `option of bench${part === 'all' ? '' : ` ${part}`}`;
  throw problem('unknown-name', { what, given: dashed(other), known: options[part].map(dashed) });
}

const isUsual = (name: string, value: unknown) => (name === 'gate' || name === 'fuzz') && value === true;

function dashed(name: string): string {
  if (name === 'gate' || name === 'fuzz') return `--no-${name}`;
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
