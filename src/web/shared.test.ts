import { expect, it } from 'vitest';
import { five } from '../../tests/support/five.ts';
import { itWhole } from '../base/in-short.testing.ts';
import type { Results } from '../run/results.ts';
import { fragmentOf, LONGEST } from './link.ts';
import { linkOf, shownOf } from './shared.ts';
import type { SpeedRow } from './speeds.ts';

const speeds: SpeedRow[] = [
  {
    algorithm: 'strassen',
    levels: 1,
    n: 512,
    gigaflops: 900,
    between: [880, 910],
    bits: 20.5,
    clock: 'timestamps',
  },
];
const linked = async (results: Results) => {
  const fragment = (await linkOf({ results, speeds })) as string;
  return { fragment, ...(await shownOf(fragment)) };
};
const refusal = (payload: unknown) =>
  fragmentOf(JSON.stringify(payload))
    .then((fragment) => shownOf(fragment as string))
    .catch((error: Error & { code: string }) => `${error.code}: ${error.message}`);

itWhole(
  'holds the verdict, what failures share and their examples, however many cases there were',
  async () => {
    for (const name of ['bug', 'three']) {
      const results = five[name]();
      const { fragment, results: found, speeds: fast } = await linked(results);
      expect(fragment.length).toBeLessThanOrEqual(LONGEST);
      expect([found.verdict, found.reason, found.summary]).toEqual([
        results.verdict,
        results.reason,
        results.summary,
      ]);
      const says = (of: Results) => of.groups?.map((group) => [group.says, group.example, group.failing]);
      expect(says(found)).toEqual(says(results));
      for (const { example, cases } of found.groups ?? []) {
        const shown = cases.map((at) => found.cases[at]);
        expect(shown.every(({ verdict }) => verdict === 'fail')).toBe(true);
        expect(shown.find((one) => one.case === example)?.maps).toBeDefined();
      }
      expect(found.cases.length < results.cases.length).toBe(
        found.notes?.some((note) => /holds \d+ of/.test(note)) ?? false,
      );
      expect(fast).toEqual(speeds);
    }
  },
);

it('gives commands of its own, never those that a link says', async () => {
  const results = five.bug();
  const evil = {
    ...results,
    cases: results.cases.slice(0, 3).map((one) => ({ ...one, replay: 'rm -rf /' })),
    groups: [],
  };
  const found = await linked(evil);
  expect(found.results.cases.map(({ replay }) => replay)).toEqual(
    evil.cases.map((one) => `npx gemm-paranoia gate --case '${one.case}'`),
  );
  const [first, ...others] = evil.cases;
  const quoted = { ...evil, cases: [{ ...first, case: `${first.case};kernel=x'; rm -rf /; '` }, ...others] };
  expect(await refusal({ results: quoted, speeds: [] })).toMatch(/^bad-link: .*an invalid case/);
});

it('refuses what is no result', async () => {
  expect(await refusal(7)).toMatch(/^bad-link: /);
  expect(await refusal({ results: five.pass(), speeds: [{ algorithm: 'x' }] })).toMatch(/^bad-link: /);
  expect(await refusal({ results: { schema: 'gemm-paranoia/results/3' }, speeds: [] })).toMatch(
    /^bad-results: /,
  );
});
