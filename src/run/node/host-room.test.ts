import { expect, it } from 'vitest';
import { thorough } from '../../evidence/reference.ts';
import { singlePrecision } from '../../precision/single.ts';
import { parseCase } from '../../problem/case.ts';
import { toGemm } from '../../problem/gemm-of.ts';
import { hostBytes, requireHostRoom } from './host-room.ts';

const of = (text: string) => toGemm(parseCase(`kernel=classical:naive;${text}`).problem);

it('what does not fit is refused with the largest that does, before anything is made', () => {
  const memory = 2 ** 30;
  const asked = (text: string) => () => requireHostRoom(of(text), singlePrecision, thorough, memory);
  expect(asked('m=1000;k=1000;n=1000')).not.toThrow();
  const sentence =
    /^60000×60000×60000 needs about \d+\.\d GB .* this machine has 1\.1 GB free\. Square products fit up to n = (\d+)\.$/;
  expect(asked('m=60000;k=60000;n=60000')).toThrow(sentence);
  const [, n] = /n = (\d+)/.exec(String(messageOf(asked('m=60000;k=60000;n=60000')))) as RegExpExecArray;
  expect(asked(`m=${n};k=${n};n=${n}`)).not.toThrow();
  expect(asked(`m=${Number(n) + 1};k=${Number(n) + 1};n=${Number(n) + 1}`)).toThrow(/needs about/);
  expect(asked('m=64;k=64;n=64;batch=100000')).toThrow(/64×64×64, batch of 100000 needs about/);
  expect(asked('m=9;k=9;n=9;a=n+100000000')).toThrow(/A ld 100000009/);
});

it('counts a batch as often as there are products', () => {
  const bytes = (text: string) => hostBytes(of(text), 4, thorough);
  expect(bytes('m=64;k=64;n=64;batch=50') / bytes('m=64;k=64;n=64')).toBeGreaterThan(25);
  expect(bytes('m=64;k=64;n=64;batch=50;a=n*same')).toBeLessThan(bytes('m=64;k=64;n=64;batch=50'));
});

it('a product of others is counted as it is judged: with all that it is compared with, or by projections', () => {
  const perEntry = (text: string) => {
    const gemm = of(text);
    return hostBytes(gemm, 4, { ...thorough, isExternal: true }) / (gemm.batch * gemm.m * gemm.n);
  };
  // Measured: 114 bytes an entry for 2048×1×2048 and similar shapes, 34 for 8192×4×8192.
  expect(perEntry('m=2048;k=1;n=2048')).toBeGreaterThan(110);
  expect(perEntry('m=32768;k=1;n=32768')).toBeGreaterThan(34);
  expect(perEntry('m=32768;k=1;n=32768')).toBeLessThan(60);
  expect(() =>
    requireHostRoom(of('m=32768;k=1;n=32768'), singlePrecision, { ...thorough, isExternal: true }, 2 ** 34),
  ).toThrow(/needs about 5\d\.\d GB/);
});

function messageOf(work: () => void): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
