import { EXIT } from '../../base/errors.ts';
import { type BitsComparison, type BitsOutcome, bitsTables, compareBits } from '../../pages/compare-bits.ts';
import { markdownSection, plainText } from '../../report/markdown/table.ts';
import { formatCount } from '../../report/numbers.ts';
import { firstRows } from '../../report/table.ts';
import { noCommonBits } from '../messages.ts';
import type { CompareRequest } from '../options.ts';
import { comparisonText, doubtsOf, sourceOf } from './compare.ts';

/** The most rows of a table in text and Markdown. */
const MOST_ROWS = 20;

/** The comparison of two runs' bits, in any medium. */
interface Told {
  readonly verdict: string;
  readonly doubts: readonly string[];
  readonly found: BitsComparison;
}

/**
 * Prints which products of two results files have the same bits.
 * @returns the exit code: that of a failure unless all common cases are bit-identical
 * @throws ParanoiaError `bad-results`, `newer-results`, `no-common-bits`
 */
export async function runCompareBits(
  old: string,
  recent: string,
  { json, markdown }: CompareRequest,
): Promise<number> {
  const [before, after] = [await sourceOf(old), await sourceOf(recent)];
  const found = compareBits(after.results, before.results);
  const total = totalsOf(found);
  const { identical, differing, 'other operands': others, 'no digest': none, 'one product': one } = total;
  if (identical + differing + others === 0) throw noCommonBits({ old, recent, common: none + one });
  const code = differing + others + one > 0 ? EXIT.fail : EXIT.pass;
  const told = { found, verdict: verdictOf(total, code), doubts: doubtsOf(before, after) };
  process.stdout.write(json === true ? asJson(told) : (markdown === true ? asMarkdown : asText)(told));
  return code;
}

type Totals = Readonly<Record<BitsOutcome, number>>;

function totalsOf({ kernels }: BitsComparison): Totals {
  const sum = (outcome: BitsOutcome) => kernels.reduce((all, { counts }) => all + counts[outcome], 0);
  return {
    identical: sum('identical'),
    differing: sum('differing'),
    'other operands': sum('other operands'),
    'one product': sum('one product'),
    'no digest': sum('no digest'),
  };
}

function verdictOf(total: Totals, code: number): string {
  const common = Object.values(total).reduce((sum, count) => sum + count, 0);
  const other = [
    [total.differing, 'differ'],
    [total['other operands'], 'had other operands'],
    [total['one product'], 'had a product in one run alone'],
    [total['no digest'], 'had no digest'],
  ] as const;
  const said = other.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `${total.identical} of ${formatCount(common, 'common case')} bit-identical${said.map((one) => `; ${one}`).join('')} (exit code ${code}).`;
}

const asText = ({ found, ...told }: Told): string =>
  comparisonText(
    bitsTables(found).map((table) => firstRows(table, MOST_ROWS)),
    told,
  );

const asMarkdown = ({ found, verdict, doubts }: Told): string =>
  [
    `## gemm-paranoia: ${plainText(verdict)}`,
    ...bitsTables(found).map((table) => markdownSection(firstRows(table, MOST_ROWS), 3)),
    ...doubts.map(plainText),
  ]
    .join('\n\n')
    .concat('\n');

function asJson({ found, verdict, doubts }: Told): string {
  const texts = (cases: BitsComparison['otherOperands']) => cases.map((result) => result.case);
  const differing = found.differing.map(({ before, after, difference }) => ({
    ...{ case: after.case, before: before.bits?.d, after: after.bits?.d, difference },
  }));
  const { otherOperands, oneProduct, ...rest } = found;
  return `${JSON.stringify(
    {
      ...{ verdict, doubts, ...rest, differing },
      ...{ otherOperands: texts(otherOperands), oneProduct: texts(oneProduct) },
    },
    undefined,
    2,
  )}\n`;
}
