import { expect, test } from 'vitest';
import { parseCase } from '../../problem/case.ts';
import { facetsOf, type LearnedOrder, readShares, writeShares } from './case-facets.ts';
import { type KernelSpeed, orderByKills, rankByKills } from './case-order.ts';
import { learnedOrder } from './learned-order.ts';

const caseOf = (text: string) => parseCase(`kernel=any;${text}`);
const judge = { case: 0.001, call: 0.001, swept: 0.0001, work: 0 };
const fast = { call: 0, product: 0 };

test('facets are the classes of sizes, entries, features and repetitions, and not the seed', () => {
  const facets = facetsOf(
    caseOf('m=1;k=300;n=64;input=integers;edit=nan:row;beta=0.5;batch=3;b=tf+2@1*same'),
  );
  expect(facets).toEqual([
    ...['m1', 'k257', 'k%', 'n33', 'n%16', 'input=integers', 'edit=nan', 'beta', 'batch'],
    ...['b=t', 'b=f', 'b+', 'b@', 'b*same'],
  ]);
  expect(facetsOf(caseOf('m=7;k=7;n=7;seed=5;repeats=10'))).toEqual(
    facetsOf(caseOf('m=8;k=8;n=8;seed=6;repeats=20')),
  );
});

test('cases come by the faults that they show for their time, and no facet comes twice before another', () => {
  const learned: LearnedOrder = {
    judge,
    ...readShares('rate 0.9 0.1\nbeta 0.5 0\nk257 0.3 0\nk2&beta 0 0.2\n'),
  };
  const cases = ['k=3', 'k=300', 'k=3;beta=1', 'k=3;beta=2', 'k=300;repeats=5'].map((text) =>
    caseOf(`m=1;n=1;${text}`),
  );
  const ranked = rankByKills(cases, fast, learned);
  expect(ranked.map(({ at }) => at)).toEqual([3, 1, 4, 0, 2]);
  expect(ranked[0].gain).toBeCloseTo(0.9 * 0.5 + 0.1 * 0.2);
  expect(ranked[2].gain).toBeCloseTo(0.9 * 0.03);
});

test('a kernel with slow calls repeats late, and one with slow multiplications gets large products late', () => {
  const learned: LearnedOrder = { judge, ...readShares('rate 0.9\nk257 0.3\nrepeats10 0.3\n') };
  const [long, repeated] = [caseOf('m=9;k=300;n=9'), caseOf('m=9;k=3;n=9;repeats=10')];
  expect(orderByKills([repeated, long], { call: 0.1, product: 0 }, learned)).toEqual([long, repeated]);
  expect(orderByKills([long, repeated], { call: 0, product: 1e-5 }, learned)).toEqual([repeated, long]);
});

test('every case is in the order once, whatever is known of it', () => {
  const cases = Array.from({ length: 200 }, (_, at) =>
    caseOf(`m=${at % 40};k=${at % 7};n=${at % 11};seed=${at}`),
  );
  const order = orderByKills(cases, { call: 1e-4, product: 1e-8 });
  expect(new Set(order).size).toBe(cases.length);
  expect(orderByKills([], fast)).toEqual([]);
});

test('a table of shares is read as it was written', () => {
  expect(readShares(writeShares(learnedOrder))).toEqual({
    rates: learnedOrder.rates,
    facets: learnedOrder.facets,
  });
  for (const shares of learnedOrder.facets.values()) expect(shares).toHaveLength(learnedOrder.rates.length);
});

test('orders sweeps by what a product takes in a message with others', () => {
  const sweep = caseOf('m=2;k=2;n=2;sweep=100');
  const single = caseOf('m=2;k=2;n=2');
  const learned = {
    judge,
    rates: [0.5],
    facets: new Map([
      ['sweep', [0.5]],
      ['any', [0.1]],
    ]),
  };
  const first = (speed: KernelSpeed) => orderByKills([sweep, single], speed, learned)[0];
  expect(first({ call: 0.01, product: 0, swept: 1e-5 })).toBe(sweep);
  expect(first({ call: 0.01, product: 0, swept: 0.02 })).toBe(single);
  expect(first({ call: 0.02, product: 0 })).toBe(single);
});
