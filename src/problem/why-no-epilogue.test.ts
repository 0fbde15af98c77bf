import { expect, it } from 'vitest';
import { parseCase, parsePattern } from './case.ts';
import { toGemm } from './gemm-of.ts';
import { whyImpossible } from './why-impossible.ts';

const of = (more: string) => parseCase(`kernel=mine;m=3;k=4;n=6;${more}`);

it.each([
  ['epilogue=swiglu;beta=1', 'epilogue=swiglu halves the columns, so C needs memory apart from D: add d=n'],
  ['epilogue=swiglu,geglu', 'epilogue=swiglu,geglu halves the columns 2 times, and n=6 is no multiple of 4'],
  ['epilogue=relu;group=2', 'a group of products has no epilogue: leave out group or epilogue=relu'],
  ['epilogue=relu;program=2', 'a call sequence has no epilogue: leave out program or epilogue=relu'],
  ['epilogue=relu;precision=c32', 'entries are complex, and the steps of epilogue=relu take real ones'],
])('%s is impossible', (more, why) => {
  expect(whyImpossible(of(more))).toBe(why);
});

it('an odd n is no n of a gate', () => {
  const value = parseCase('kernel=mine;m=3;k=4;n=5;epilogue=swiglu');
  expect(whyImpossible(value)).toBe('epilogue=swiglu halves the columns, and n=5 is odd');
});

it('a wrong step is refused with the nearest name', () => {
  expect(() => of('epilogue=bias:row,gelo')).toThrow(/Unknown epilogue step "gelo". Did you mean "gelu"\?/);
});

it('a pattern matches the chain of a case', () => {
  const matches = parsePattern('epilogue=*gelu*');
  expect([matches(of('epilogue=bias:row,gelu')), matches(of(''))]).toEqual([true, false]);
});

it('a gate halves the columns of D, and of a C that D overwrites', () => {
  const [over, apart] = ['epilogue=swiglu', 'epilogue=swiglu;d=n;beta=1'].map((more) =>
    toGemm(of(more).problem),
  );
  expect([over.c.ld, over.d.ld, over.c === over.d, over.chain?.columns]).toEqual([3, 3, true, 3]);
  expect([apart.c.ld, apart.d.ld, apart.c === apart.d]).toEqual([6, 3, false]);
});

it('the codes of D are those of the last step', () => {
  expect(toGemm(of('epilogue=relu,requantize:uint8:row:any').problem).chain).toEqual({
    text: 'relu,requantize:uint8:row:any',
    columns: 6,
    codes: 'uint8',
  });
});
