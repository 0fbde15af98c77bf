import { type PrecisionName, precisionNames } from '../formats/precision.ts';
import { inputs } from '../inputs/inputs.ts';
import { borders, edges } from '../plan/plan.ts';
import { problem } from '../problems.ts';
import type { Case } from './case.ts';

/** Whether a case is one of those that a pattern names. */
export type CasePattern = (value: Case) => boolean;

type Matcher<T> = (value: T) => boolean;
type Key = Exclude<keyof Case, 'fault'>;

/** How the value of each key is read, and what a case that leaves the key out stands for. */
const keys: { readonly [K in Key]: (text: string) => Matcher<Case> } = {
  kernel: texts(({ kernel }) => kernel),
  levels: numbers('levels'),
  border: choice('border', borders, ({ border }) => border),
  edge: choice('edge', edges, ({ edge }) => edge),
  input: choice(
    'input',
    inputs.map(({ name }) => name),
    ({ input }) => input,
  ),
  m: numbers('m'),
  k: numbers('k'),
  n: numbers('n'),
  seed: numbers('seed'),
  init: choice('init', ['f32', 'f64'], ({ init = 'f32' }) => init),
  precision: choice<PrecisionName>('precision', precisionNames, ({ precision = 'f32' }) => precision),
  layout: texts(({ layout = 'nn' }) => layout),
  edit: texts(({ edit = '' }) => edit),
};

/**
 * Reads a pattern of cases: a case in any order of keys, where a key left out, or a part `*`, allows anything, a `*`
 * within a name stands for any characters, and `1..16` for the whole numbers from 1 to 16. No pattern matches a case
 * with a planted fault.
 * @throws Problem `unknown-name` for keys and names, `bad-pattern` for anything else.
 */
export function parsePattern(text: string): CasePattern {
  const given = new Map<string, Matcher<Case>>();
  for (const part of text.split(';').map((piece) => piece.trim())) {
    if (part === '' || part === '*') continue;
    const equals = part.indexOf('=');
    if (equals < 0) throw problem('bad-pattern', { given: text, why: `"${part}" has no "="` });
    const [key, value] = [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
    if (!Object.hasOwn(keys, key)) {
      throw problem('unknown-name', { what: 'key in a pattern', given: key, known: Object.keys(keys) });
    }
    if (given.has(key)) throw problem('bad-pattern', { given: text, why: `it says "${key}" twice` });
    if (value === '') throw problem('bad-pattern', { given: text, why: `it gives "${key}" no value` });
    given.set(key, keys[key as Key](value));
  }
  if (given.size === 0) throw problem('bad-pattern', { given: text, why: 'it would match every case' });
  const all = [...given.values()];
  return (value) => value.fault === undefined && all.every((matches) => matches(value));
}

/** The text with `*` for any characters, and all else as it is. */
function glob(text: string): Matcher<string> {
  const [first, ...rest] = text.split('*');
  const last = rest.pop();
  if (last === undefined) return (value) => value === first;
  return (value) => {
    if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last)) {
      return false;
    }
    let at = first.length;
    for (const piece of rest) {
      const found = value.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= value.length - last.length;
  };
}

function texts(of: (value: Case) => string) {
  return (text: string): Matcher<Case> => {
    const wanted = glob(text);
    return (value) => wanted(of(value));
  };
}

function choice<T extends string>(what: string, known: readonly T[], of: (value: Case) => string) {
  return (text: string): Matcher<Case> => {
    const wanted = glob(text);
    if (!known.some((name) => wanted(name))) throw problem('unknown-name', { what, given: text, known });
    return (value) => wanted(of(value));
  };
}

function numbers(key: 'levels' | 'm' | 'k' | 'n' | 'seed') {
  return (text: string): Matcher<Case> => {
    if (text === '*') return () => true;
    const range = /^(\d{1,10})(?:\.\.(\d{1,10}))?$/.exec(text);
    const least = Number(range?.[1]);
    const most = Number(range?.[2] ?? least);
    if (!(least <= most)) {
      throw problem('bad-number', {
        what: key,
        given: text,
        need: 'a whole number, or a range such as 1..16',
      });
    }
    return (value) => value[key] >= least && value[key] <= most;
  };
}
