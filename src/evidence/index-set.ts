/** Words for rows or columns. */
export interface AxisWords {
  readonly one: string;
  readonly many: string;
}

export const ROWS: AxisWords = { one: 'row', many: 'rows' };
export const COLUMNS: AxisWords = { one: 'column', many: 'columns' };

/** Up to this many indices are listed one by one. */
const LISTED = 4;

/**
 * Describes the rows or columns, of `count` from 0, in an ascending list that is not empty: "all rows", "the last row (127)", "row 5",
 * "the first 16 rows (0…15)", "rows 64…127", "every 16th row from 15", "rows 1, 5 and 6", "37 rows from 2 to 99".
 */
export function describeIndices(indices: readonly number[], count: number, axis: AxisWords): string {
  const [first, last] = [indices[0], indices[indices.length - 1]];
  const size = indices.length;
  if (size === count) return `all ${axis.many}`;
  if (size === 1) return single(first, count, axis);
  if (last - first === size - 1) return run(first, last, count, axis);
  const step = indices[1] - indices[0];
  const regular = indices.every((index, at) => index === first + at * step);
  if (size > 2 && regular && first < step && last + step >= count) {
    return `every ${ordinal(step)} ${axis.one} from ${first}`;
  }
  if (size <= LISTED) return `${axis.many} ${indices.slice(0, -1).join(', ')} and ${last}`;
  return `${size} ${axis.many} from ${first} to ${last}`;
}

function single(index: number, count: number, axis: AxisWords): string {
  if (index === 0) return `the first ${axis.one} (0)`;
  if (index === count - 1) return `the last ${axis.one} (${index})`;
  return `${axis.one} ${index}`;
}

function run(first: number, last: number, count: number, axis: AxisWords): string {
  const size = last - first + 1;
  if (first === 0) return `the first ${size} ${axis.many} (0…${last})`;
  if (last === count - 1) return `the last ${size} ${axis.many} (${first}…${last})`;
  return `${axis.many} ${first}…${last}`;
}

function ordinal(n: number): string {
  const ending = ['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? 'th';
  return n === 2 ? 'other' : `${n}${ending}`;
}
