import type { Shape } from '../../matrix/dense.ts';
import { anyText } from '../../problem/kinds.ts';
import type { Range } from '../../problem/ranges.ts';
import { any, list, one, SIZE, type Told } from '../kinds.ts';
import type { Option } from '../option.ts';
import { shapeOf } from '../size.ts';
import { readDuration, readList, readSize, readText } from './read.ts';

/** An option of several values that is repeated for each, since they may hold commas. */
export const repeated = (...told: Told): Option<readonly string[]> => ({
  ...list<string>(anyText, ...told),
  read: (option, texts) => texts.map((text) => readText(option, text)),
});

/** A duration: the value is in seconds. */
export const duration = (...told: Told): Option<number> => ({
  ...one<number>(any('a duration such as 90s, 10m or 2h'), ...told),
  read: (option, [text]) => readDuration(option, text),
});

/** The shape of one product. @param range of its sizes. */
export const shape = (range: Range | undefined, ...told: Told): Option<Shape> => ({
  ...one<Shape>(SIZE, ...told),
  read: (option, [text]) => shapeOf(readSize(option, text, range)),
});

/** Shapes of products. @param range of their sizes. */
export const shapes = (range: Range | undefined, ...told: Told): Option<readonly Shape[]> => ({
  ...list<Shape>(SIZE, ...told),
  read: (option, texts) => readList(option, texts).map((item) => shapeOf(readSize(option, item, range))),
});
