import type { ParanoiaError } from '../base/errors.ts';
import { badNumber, unknownName } from '../base/messages.ts';
import { isWithin, type NumberRange } from './ranges.ts';

/** The names that fields may hold. Absent lists allow any name. */
export interface KnownFieldNames {
  readonly kernel?: readonly string[] | undefined;
  readonly input?: readonly string[] | undefined;
  readonly precision?: readonly string[] | undefined;
  readonly fault?: readonly string[] | undefined;
}

/** Returns true if a pattern matches a value. */
export type Matcher<T> = { matches(value: T): boolean }['matches'];

/** The set of values of a kind. */
export interface ValueSet {
  /** The allowed names, if they are fixed. */
  readonly names?: readonly string[];
  /** A description of the values: "a whole number from 1 to 32768". */
  readonly need: string;
  /** Its JSON Schema, for numbers and texts. */
  readonly json?:
    | { readonly type: 'number' | 'integer' | 'string'; minimum?: number; maximum?: number }
    | undefined;
  /** True if a value is allowed. */
  holds(value: unknown, known: KnownFieldNames): boolean;
}

/** A kind of field, with its values, texts and patterns. */
export interface Kind<T> extends ValueSet {
  /** Reads a text. An unreadable text gives a value that is not allowed. */
  read(text: string): T;
  write(value: T): string;
  /** Returns the error of an unreadable text. `what` names the field as its reader knows it. */
  refuse(what: Told, text: string, known: KnownFieldNames): ParanoiaError;
  /** Returns the matcher of a pattern. @throws ParanoiaError `bad-number`, `unknown-name` */
  matcher(field: string, text: string, known: KnownFieldNames): Matcher<T>;
}

/** A field by its key, with its name in messages: `"m" of the case`, `--levels`. */
interface Told {
  readonly field: string;
  readonly where: string;
}

/** Reads the value of a text. @throws ParanoiaError `bad-number`, `unknown-name` */
export function readKind<T>(kind: Kind<T>, text: string, told: Told, known: KnownFieldNames = {}): T {
  const value = kind.read(text);
  if (kind.holds(value, known)) return value;
  throw kind.refuse(told, text, known);
}

const needed =
  (need: string) =>
  ({ where }: Told, given: string) =>
    badNumber({ what: where, given, need });

const NUMBER = /^[+-]?(?<digits>\d+(\.\d+)?)(e[+-]?\d+)?$/i;

/** Reads a number in decimal digits. NaN for any other text, and for a nonzero number that underflows to 0. */
export function parseNumber(text: string): number {
  const digits = NUMBER.exec(text)?.groups?.digits;
  if (digits === undefined) return Number.NaN;
  const value = Number(text);
  return value === 0 && /[1-9]/.test(digits) ? Number.NaN : value;
}

/** Returns the kind of a number in a range. Its patterns may be two numbers with `..` between them. */
export function numberKind(range: NumberRange): Kind<number> {
  const { least, most, whole, need } = range;
  const ends = whole ? 'a whole number, or a range such as 1..16' : 'a number, or a range such as 0..1';
  return {
    need,
    json: { type: whole ? 'integer' : 'number', minimum: least, maximum: most },
    holds: (value) => typeof value === 'number' && isWithin(value, range),
    // Minus zero becomes 0.
    read: (text) => parseNumber(text) + 0,
    write: String,
    refuse: needed(need),
    matcher(field, text) {
      if (text === '*') return () => true;
      const [low, high = low, ...more] = text.split('..');
      const [from, to] = [low, high].map(parseNumber);
      const wrong =
        more.length > 0 ||
        !(from <= to) ||
        from < Math.min(0, least) ||
        (whole && !Number.isInteger(from + to));
      if (wrong) throw badNumber({ what: field, given: text, need: ends });
      return (value) => value >= from && value <= to;
    },
  };
}

/** Returns the kind of names and other texts. A `*` in their patterns matches any characters. Without `names`, any text is allowed. */
function textKind<T extends string>(
  need: string,
  refuse: Kind<T>['refuse'],
  names: (known: KnownFieldNames) => readonly string[] | undefined = () => undefined,
  matched = names,
): Kind<T> {
  return {
    need,
    json: { type: 'string' },
    holds: (value, known) =>
      typeof value === 'string' && (names(known)?.includes(value) ?? value.trim() !== ''),
    read: (text) => text as T,
    write: (value) => value,
    refuse,
    matcher(field, text, known) {
      const wanted = glob(text);
      const among = matched(known);
      if (among === undefined || among.some(wanted)) return wanted;
      throw unknownName({ what: field, given: text, known: among });
    },
  };
}

/** Returns the kind of one name of a fixed list. */
export function choiceKind<T extends string>(names: readonly T[]): Kind<T> {
  const need = names.map((name) => `"${name}"`).join(' or ');
  const refuse: Kind<T>['refuse'] = ({ field }, given) => unknownName({ what: field, given, known: names });
  return { ...textKind<T>(need, refuse, () => names), names };
}

/** Returns the kind of a name of a known list. */
export function nameKind(list: keyof KnownFieldNames): Kind<string> {
  return textKind<string>(
    'a non-empty string',
    ({ field }, given, known) => unknownName({ what: field, given, known: known[list] ?? [] }),
    (known) => known[list],
    // A pattern may name a kernel that a run no longer has.
    (known) => (list === 'kernel' ? undefined : known[list]),
  );
}

/** The kind of any text. */
export const anyText: Kind<string> = textKind('a non-empty string', needed('a non-empty string'));

/** Returns the kind of a value with its own text, matched as that text. */
export function customKind<T>(
  need: string,
  holds: (value: unknown) => boolean,
  read: (text: string) => T,
  write: (value: T) => string,
): Kind<T> {
  return {
    ...{ need, holds, read, write },
    refuse: needed(need),
    matcher(_, text) {
      const wanted = glob(text);
      return (value) => wanted(write(value));
    },
  };
}

/** Returns the kind of an optional value. None is written `none`. */
export function optionalKind<T>(kind: Kind<T>): Kind<T | undefined> {
  return {
    need: `${kind.need}, or none`,
    holds: (value, known) => value === undefined || kind.holds(value, known),
    read: (text) => (text === 'none' ? undefined : kind.read(text)),
    write: (value) => (value === undefined ? 'none' : kind.write(value)),
    refuse: kind.refuse,
    matcher(field, text, known) {
      const none = glob(text)('none');
      const matches = text === 'none' ? undefined : kind.matcher(field, text, known);
      return (value) => (value === undefined ? none : (matches?.(value) ?? false));
    },
  };
}

/** Returns a matcher for `pattern`, in which a `*` matches any characters and all else is literal. */
function glob(pattern: string): (text: string) => boolean {
  const [first, ...rest] = pattern.split('*');
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
