import { expect, it } from 'vitest';
import { commonOf, restOf } from './cases.ts';

const of = (text: string, replay = `npx gate --case '${text}' --sigmas 5`) => ({ case: text, replay });
const shown = { kernel: 'mine', input: 'uniform', m: '1', k: '2', n: '3' };
const [one, other] = [
  of('kernel=mine;levels=0;fringe=pad;input=uniform;m=1;k=2;n=3;seed=1'),
  of('kernel=mine;levels=0;fringe=pad;input=uniform;m=1;k=2;n=3;seed=2;alpha=2'),
];

it('says once what most cases say, and of each what it says otherwise', () => {
  const common = commonOf([one, one, other]);
  expect(common).toEqual({
    fields: ['levels=0', 'fringe=pad', 'seed=1'],
    command: "npx gate --case '{case}' --sigmas 5",
  });
  expect(restOf(one, common, shown)).toEqual({ fields: '' });
  expect(restOf(other, common, shown)).toEqual({ fields: 'seed=2;alpha=2' });
  expect(commonOf([one, other, other]).fields).toEqual(['levels=0', 'fringe=pad', 'seed=2']);
});

it('gives the whole text where columns do not: a name that was cut, fields in another order', () => {
  const common = commonOf([one, other]);
  const cut = of('kernel=my-very-long-name;levels=0;fringe=pad;input=uniform;m=1;k=2;n=3;seed=1');
  expect(restOf(cut, common, { ...shown, kernel: 'my-very…' }).text).toBe(cut.case);
  const turned = of('seed=1;kernel=mine;levels=0;fringe=pad;input=uniform;m=1;k=2;n=3');
  expect(restOf(turned, common, shown)).toEqual({ fields: '', text: turned.case });
});

it('gives the command where it is another than that of most', () => {
  const after = of(one.case, `npx gate --case '${other.case}' --case '${one.case}'`);
  expect(restOf(after, commonOf([one, other]), shown).command).toBe(
    `npx gate --case '${other.case}' --case '{case}'`,
  );
  expect(restOf(of(one.case, 'elsewhere'), commonOf([one]), shown).command).toBe('elsewhere');
  expect(commonOf([])).toEqual({ fields: [], command: '{case}' });
});
