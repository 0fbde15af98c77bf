import { expect, test } from 'vitest';
import { createRandom } from '../base/random.ts';
import { structures } from '../matrix/structure.ts';
import { parseCase } from './case.ts';
import { drawFields } from './draw-fields.ts';
import { fitStructure, whyUnfit } from './fit-structure.ts';

test('the nearest problem of a structure is one that the structure allows, and stays', () => {
  const random = createRandom(3, 1);
  const taken = ['transposed', 'conjugated', 'columns', 'leadingDimensions', 'batch', 'alpha', 'beta'];
  const features = {
    ...Object.fromEntries(taken.map((key) => [key, true])),
    complexFactors: true,
    outOfPlace: true,
  };
  const keys = ['m', 'k', 'n', 'batch', 'alpha', 'beta', 'a', 'b', 'c', 'd', 'structure'] as const;
  const { problem } = parseCase('kernel=x;m=1;k=1;n=1;precision=c32');
  for (const { name } of structures.items) {
    const space = { maxSize: 9, tiles: [], features: { ...features, structure: name } };
    for (let tries = 0; tries < 20; tries++) {
      const drawn = drawFields(keys, space, (least, most) => random.int(least, most));
      const fitted = fitStructure({ ...problem, ...drawn } as typeof problem);
      expect(fitted.structure).toBe(name);
      expect(whyUnfit(fitted)).toBe(undefined);
    }
  }
});

test.each([
  ['structure=gemmt-lower;n=6', 'gemmt-lower takes n=5 in place of n=6'],
  ['structure=symm-right-lower', 'symm-right-lower takes k=5 in place of k=3'],
  ['structure=syrk-upper;batch=2', 'syrk-upper takes batch=1 in place of batch=2'],
  ['structure=syrk-upper;group=2', 'syrk-upper takes group=1 in place of group=2'],
  ['structure=syrk-upper;epilogue=relu', 'syrk-upper takes epilogue=none in place of epilogue=relu'],
  ['structure=syrk-upper;b=t', 'syrk-upper takes b=n in place of b=t'],
  ['structure=syr2k-upper;a=t', 'syr2k-upper takes b=t in place of b=n'],
  ['structure=gemmt-upper;c=nf', 'gemmt-upper takes c=n in place of c=nf'],
  ['structure=trmm-left-lower;k=5;beta=1', 'trmm-left-lower takes beta=0 in place of beta=1'],
  ['structure=herk-lower;precision=c32;alpha=1+2i', 'herk-lower takes alpha=1 in place of alpha=1+2i'],
  ['structure=herk-lower', 'entries are real: herk-lower takes a precision of complex ones, such as c32'],
  ['structure=syrk-lower', undefined],
])('%s: %s', (text, why) => {
  const given = text.includes(';n=') ? text : `${text};n=5`;
  const value = parseCase(`kernel=x;m=5;${given.includes(';k=') ? given : `${given};k=3`}`);
  expect(whyUnfit(value.problem)).toBe(why);
});
