import { OURS } from '../../base/registry.ts';
import { inflectVerb } from '../../report/numbers.ts';
import { type Check, notApplicable } from './check.ts';

/** Check that the same product, computed again, has the same bits. */
export const repeatable: Check = {
  name: 'repeatable',
  what: 'Does the same product give the same bits every time?',
  source: OURS,
  decisive: false,
  judges: 'product',
  judgesEpilogues: true,
  judge(evidence) {
    const {
      claims,
      outcomes: [product, again],
    } = evidence;
    if (claims.deterministic === false) return notApplicable('The kernel claims deterministic: false.');
    if (again === undefined) return notApplicable('This case ran once.');
    const [first, second] = [product.c.data, again.c.data];
    const differs = (e: number) => !Object.is(first[e], second[e]);
    let at = 0;
    while (at < first.length && !differs(at)) at++;
    if (at === first.length) return { status: 'pass', message: 'The same product gave the same bits again.' };
    const other = Uint8Array.from(first, (_, e) => Number(differs(e)));
    const count = other.reduce((sum, one) => sum + one, 0);
    const { m, n, batch } = evidence.gemm;
    const row = Math.floor(at / n);
    const place = `(${row % m}, ${at % n})${batch === 1 ? '' : ` of product ${Math.floor(row / m)}`}`;
    const says = (where: string) =>
      `${count} of ${first.length} entries ${inflectVerb(count, 'differ')} when the same product ran again${again.when ? ` ${again.when}` : ''}${where}; at ${place} first ${first[at]}, then ${second[at]}.`;
    return {
      status: 'fail',
      message: says(''),
      explain: ({ describeWrong }) => ({ message: says(`: ${describeWrong(evidence, other)}`) }),
    };
  },
};
