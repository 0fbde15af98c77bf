import { expect, test } from 'vitest';
import { ParanoiaError } from '../base/errors.ts';
import { parseCase } from '../problem/case.ts';
import { decode, decodeCase, encode, encodeCase, fromWireError, toWireError } from './wire.ts';

test('numbers that JSON cannot hold are the same on the other side', () => {
  const said = { zeros: [0, -0], large: [Infinity, -Infinity, 2 ** 54], none: Number.NaN, text: '-0' };
  expect(decode(encode(said))).toEqual(said);
  expect(Object.is((decode(encode(-0)) as number) ?? 1, -0)).toBe(true);
  expect(decode(encode({ left: undefined, null: null }))).toEqual({ null: null });
});

test('errors keep their sentence, whom they blame, and what caused them', () => {
  const cause = new ParanoiaError('device-lost', 4, 'The device was lost.', { blames: 'machine' });
  const told = fromWireError(toWireError(new ParanoiaError('run-broken-off', 70, 'It ended.', { cause })));
  expect(told).toBeInstanceOf(ParanoiaError);
  expect(told).toMatchObject({
    code: 'run-broken-off',
    exitCode: 70,
    message: 'It ended.',
    blames: 'nobody',
  });
  expect(told.cause).toMatchObject({ code: 'device-lost', exitCode: 4, blames: 'machine' });
  expect(fromWireError(toWireError(new RangeError('too deep')))).not.toBeInstanceOf(ParanoiaError);
  expect(fromWireError(toWireError('thrown text'))).toMatchObject({ message: 'thrown text' });
});

test('planned cases are told with all that is planned of them', () => {
  const first = parseCase('kernel=strassen:tiled;levels=1;m=7;k=5;n=3;alpha=-0.5;a=t+3');
  const planned = { ...first, series: true, detailed: true, drawn: true, after: [first] };
  expect(decodeCase(decode(encode(encodeCase(planned))) as never)).toEqual(planned);
  expect(decodeCase(encodeCase({ ...first, series: false }))).toEqual({ ...first, series: false });
});
