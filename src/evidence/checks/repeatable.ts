import { OURS } from '../../base/registry.ts';
import { describeRegion } from '../region.ts';
import { type Check, notApplicable } from './check.ts';

/** The same product, once more, has the same bits. */
export const repeatable: Check = {
  name: 'repeatable',
  what: 'Where a case is multiplied twice, are the bits those of the first time?',
  source: OURS,
  decisive: false,
  judge({ outcomes: [product, again], plan: { shape } }) {
    if (again === undefined) return notApplicable('This case is multiplied once.');
    const [first, second] = [product.c.data, again.c.data];
    const differs = (e: number) => !Object.is(first[e], second[e]);
    let at = 0;
    while (at < first.length && !differs(at)) at++;
    if (at === first.length) return { status: 'pass', message: 'The same product again gave the same bits.' };
    const other = Uint8Array.from(first, (_, e) => Number(differs(e)));
    const { count, text } = describeRegion(other, shape.m, shape.n);
    const place = `(${Math.floor(at / shape.n)}, ${at % shape.n})`;
    const message = `${count} of ${first.length} entries differ from run to run: the same product again gave other bits in ${text}; at ${place} first ${first[at]}, then ${second[at]}.`;
    return { status: 'fail', message };
  },
};
