import { badNumber, unknownName } from '../../base/messages.ts';
import { DURATIONS, parseSeconds } from '../../base/time.ts';
import type { Shape } from '../../matrix/dense.ts';
import { anyText, type Kind, parseNumber, readKind, type ValueSet } from '../../problem/kinds.ts';
import { isWithin, type NumberRange, ranges } from '../../problem/ranges.ts';
import { any, listOfValues, type OptionWords, oneValue, SIZE, type Size, shapeOf } from '../kinds.ts';
import { emptyItem, missingOption } from '../messages.ts';
import type { Option } from '../option.ts';

/** Reads the text of an option, without the spaces around it. @throws ParanoiaError `missing-option` */
function readTextOption(option: string, given: string): string {
  const text = given.trim();
  if (text === '') throw missingOption({ option, need: 'a value' });
  return text;
}

/** Returns the items of lists such as "a,b", without repetitions. @throws ParanoiaError `missing-option`, `empty-item` */
export function readList(option: string, texts: readonly string[]): string[] {
  const items = texts.flatMap((text) => text.split(',').map((item) => item.trim()));
  if (items.every((item) => item === '')) throw missingOption({ option, need: 'values separated by commas' });
  if (items.includes('')) throw emptyItem({ option, given: texts.join(' ') });
  return [...new Set(items)];
}

/** Reads a number in a range. @throws ParanoiaError `missing-option`, `bad-number` */
export function readNumber(option: string, given: string, range: NumberRange): number {
  const text = readTextOption(option, given);
  const value = parseNumber(text);
  if (isWithin(value, range)) return value;
  throw badNumber({ what: option, given: text, need: range.need });
}

const BETWEEN = /\s*[x×]\s*/i;

/** Reads a size: "64" or "129x65x33". @throws ParanoiaError `missing-option`, `bad-number` */
function readSize(option: string, given: string, range: NumberRange = ranges.dimension): Size {
  const text = readTextOption(option, given);
  const parts = text.split(BETWEEN);
  const need = 'a size such as 64, or three such as 129x65x33';
  if (parts.length !== 1 && parts.length !== 3) throw badNumber({ what: option, given: text, need });
  const [m, k, n] = parts.map((part) => {
    // An empty part would read as a missing option.
    if (part === '') throw badNumber({ what: option, given: text, need });
    return readNumber(option, part, range);
  });
  return parts.length === 1 ? m : [m, k, n];
}

/** Returns a name of a fixed table. @throws ParanoiaError `missing-option`, `unknown-name` */
export function readChoice<T extends string>(option: string, given: string, known: readonly T[]): T {
  const text = readTextOption(option, given);
  if (known.includes(text as T)) return text as T;
  throw unknownName({ what: `value of ${option}`, given: text, known });
}

/** Reads the seconds of "90", "90s", "10m" or "2h". @throws ParanoiaError `missing-option`, `bad-number` */
export function readDuration(option: string, given: string): number {
  const text = readTextOption(option, given);
  const seconds = parseSeconds(text);
  if (seconds === undefined) throw badNumber({ what: option, given: text, need: DURATIONS });
  return seconds;
}

/** Returns the value that a text gives of a kind. @throws ParanoiaError `missing-option`, `bad-number`, `unknown-name` */
export function readKindValue(option: string, given: string, held: ValueSet): unknown {
  if (held === SIZE) return readSize(option, given);
  const text = readTextOption(option, given);
  if ('read' in held)
    return readKind(held as Kind<unknown>, text, { field: `value of ${option}`, where: option });
  if (held.holds(text, {})) return text;
  throw badNumber({ what: option, given: text, need: held.need });
}

/** Defines an option of several values that is repeated for each, since they may hold commas. */
export const repeatedOption = (...told: OptionWords): Option<readonly string[]> => ({
  ...listOfValues<string>(anyText, ...told),
  read: (option, texts) => texts.map((text) => readTextOption(option, text)),
});

/** Returns a duration: the value is in seconds. */
export const duration = (...told: OptionWords): Option<number> => ({
  ...oneValue<number>(any('a duration such as 90s, 10m or 2h'), ...told),
  read: (option, [text]) => readDuration(option, text),
});

/** Defines an option for the shape of one product. @param range of its sizes. */
export const shape = (range: NumberRange | undefined, ...told: OptionWords): Option<Shape> => ({
  ...oneValue<Shape>(SIZE, ...told),
  read: (option, [text]) => shapeOf(readSize(option, text, range)),
});

/** Returns shapes of products. @param range of their sizes. */
export const shapes = (range: NumberRange | undefined, ...told: OptionWords): Option<readonly Shape[]> => ({
  ...listOfValues<Shape>(SIZE, ...told),
  read: (option, texts) => readList(option, texts).map((item) => shapeOf(readSize(option, item, range))),
});
