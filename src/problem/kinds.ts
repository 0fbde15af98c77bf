import type { ParanoiaError } from '../base/errors.ts';
import { badNumber, unknownName } from '../base/messages.ts';
import { isWithin, type Range } from './ranges.ts';

/** The names that fields may hold; of what is left out, any. */
export interface Names {
  readonly kernel?: readonly string[] | undefined;
  readonly input?: readonly string[] | undefined;
  readonly precision?: readonly string[] | undefined;
  readonly fault?: readonly string[] | undefined;
}

/** Whether a value is one of those that a pattern names. */
export type Matcher<T> = { matches(value: T): boolean }['matches'];

/** What can be held. */
export interface Held {
  /** The names that it is one of, if they are fixed. */
  readonly names?: readonly string[];
  /** What it must be, in words: "a whole number from 1 to 32768". */
  readonly need: string;
  /** Its JSON Schema, of what is a number or a text. */
  readonly json?:
    | { readonly type: 'number' | 'integer' | 'string'; minimum?: number; maximum?: number }
    | undefined;
  /** Whether a value is one. */
  holds(value: unknown, known: Names): boolean;
}

/** What a field can hold, as a value, a text and a pattern. */
export interface Kind<T> extends Held {
  /** The value of a text; one that it does not hold where there is none. */
  read(text: string): T;
  write(value: T): string;
  /** The sentence on a text that is none: `what` names the field as its reader knows it. */
  refuse(what: Told, text: string, known: Names): ParanoiaError;
  /** @throws ParanoiaError `bad-number`, `unknown-name` */
  matcher(field: string, text: string, known: Names): Matcher<T>;
}

/** A field by its key, and what its text is called in messages: `"m" of the case`, `--levels`. */
interface Told {
  readonly field: string;
  readonly where: string;
}

/** The value that a text gives. @throws ParanoiaError `bad-number`, `unknown-name` */
export function readKind<T>(kind: Kind<T>, text: string, told: Told, known: Names = {}): T {
  const value = kind.read(text);
  if (kind.holds(value, known)) return value;
  throw kind.refuse(told, text, known);
}

const needed =
  (need: string) =>
  ({ where }: Told, given: string) =>
    badNumber({ what: where, given, need });

const NUMBER = /^[+-]?(?<digits>\d+(\.\d+)?)(e[+-]?\d+)?$/i;

/** The number that a text writes in decimal digits; NaN where it writes none, or one that a double takes for 0 and is not. */
export function numberOf(text: string): number {
  const digits = NUMBER.exec(text)?.groups?.digits;
  if (digits === undefined) return Number.NaN;
  const value = Number(text);
  return value === 0 && /[1-9]/.test(digits) ? Number.NaN : value;
}

/** A number in a range; as a pattern, also two with `..` between them. */
export function numberIn(range: Range): Kind<number> {
  const { least, most, whole, need } = range;
  const ends = whole ? 'a whole number, or a range such as 1..16' : 'a number, or a range such as 0..1';
  return {
    need,
    json: { type: whole ? 'integer' : 'number', minimum: least, maximum: most },
    holds: (value) => typeof value === 'number' && isWithin(value, range),
    // Minus zero is no other number here.
    read: (text) => numberOf(text) + 0,
    write: String,
    refuse: needed(need),
    matcher(field, text) {
      if (text === '*') return () => true;
      const [low, high = low, ...more] = text.split('..');
      const [from, to] = [low, high].map(numberOf);
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

/** Names and other texts, a `*` in their patterns for any characters; without `names`, any. */
function textKind<T extends string>(
  need: string,
  refuse: Kind<T>['refuse'],
  names: (known: Names) => readonly string[] | undefined = () => undefined,
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

/** One name of a fixed list. */
export function oneOf<T extends string>(names: readonly T[]): Kind<T> {
  const need = names.map((name) => `"${name}"`).join(' or ');
  const refuse: Kind<T>['refuse'] = ({ field }, given) => unknownName({ what: field, given, known: names });
  return { ...textKind<T>(need, refuse, () => names), names };
}

/** A name of one of the lists that are known. */
export function nameOf(list: keyof Names): Kind<string> {
  return textKind<string>(
    'a text that is not empty',
    ({ field }, given, known) => unknownName({ what: field, given, known: known[list] ?? [] }),
    (known) => known[list],
    // What is the kernel of a pattern may be one that a run no longer has.
    (known) => (list === 'kernel' ? undefined : known[list]),
  );
}

/** Any text. */
export const anyText: Kind<string> = textKind('a text that is not empty', needed('a text that is not empty'));

/** A value that has a text of its own, matched as that text. */
export function written<T>(
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

/** A value, or none, which is written `none`. */
export function orNone<T>(kind: Kind<T>): Kind<T | undefined> {
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

/** Whether a text is one that `pattern` stands for, a `*` in it for any characters, and all else for itself. */
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
