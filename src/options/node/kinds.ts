import type { Shape } from '../../matrix/dense.ts';
import { anyText } from '../../problem/kinds.ts';
import type { NumberRange } from '../../problem/ranges.ts';
import { any, listOfValues, type OptionWords, oneValue, SIZE } from '../kinds.ts';
import type { Option } from '../option.ts';
import { shapeOf } from '../size.ts';
import { readDuration, readList, readSize, readTextOption } from './read.ts';

/** Defines an option of several values that is repeated for each, since they may hold commas. */
export const repeatedOption = (...told: OptionWords): Option<readonly string[]> => ({
  ...listOfValues<string>(anyText, ...told),
  read: (option, texts) => texts.map((text) => readTextOption(option, text)),
});

/** A duration: the value is in seconds. */
export const duration = (...told: OptionWords): Option<number> => ({
  ...oneValue<number>(any('a duration such as 90s, 10m or 2h'), ...told),
  read: (option, [text]) => readDuration(option, text),
});

/** Defines an option for the shape of one product. @param range of its sizes. */
export const shape = (range: NumberRange | undefined, ...told: OptionWords): Option<Shape> => ({
  ...oneValue<Shape>(SIZE, ...told),
  read: (option, [text]) => shapeOf(readSize(option, text, range)),
});

/** Shapes of products. @param range of their sizes. */
export const shapes = (range: NumberRange | undefined, ...told: OptionWords): Option<readonly Shape[]> => ({
  ...listOfValues<Shape>(SIZE, ...told),
  read: (option, texts) => readList(option, texts).map((item) => shapeOf(readSize(option, item, range))),
});
