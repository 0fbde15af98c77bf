import { expect, it } from 'vitest';
import { EXIT } from './errors.ts';
import { badNumber } from './messages.ts';
import { machineError, systemReason, withoutNumbers } from './system-errors.ts';

it('says in words what Node knows by its number alone', () => {
  const told = 'Unknown system error -116: Unknown system error -116, read';
  expect(withoutNumbers(told)).toBe('its file server no longer knows it, read');
  expect(withoutNumbers('Unknown system error -9999: Unknown system error -9999, open')).toContain('-9999');
  expect(systemReason(Object.assign(new Error(told), { code: 'Unknown system error -116' }))).toBe(
    'its file server no longer knows it',
  );
});

const refused = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code}: …`), { code, ...more });

it.each([
  [
    'a file that may not be read',
    refused('EACCES', { path: 'x.js' }),
    'system-refuses',
    'x.js (EACCES: perm',
  ],
  ['a disk that fails', refused('EIO', { syscall: 'read' }), 'system-refuses', 'the system call read (EIO: '],
  [
    'no folder to run in',
    refused('ENOENT', { syscall: 'uv_cwd' }),
    'system-refuses',
    'the working directory (ENOENT: ',
  ],
  ['a quota', refused('Unknown system error -122'), 'system-refuses', '(EDQUOT: the disk quota is used up)'],
  ['no more files', refused('EMFILE'), 'too-few-resources', '(EMFILE: '],
  ['no more memory', new RangeError('Array buffer allocation failed'), 'too-few-resources', '(ENOMEM: '],
  ['a thread without memory', refused('ERR_WORKER_OUT_OF_MEMORY'), 'too-few-resources', '(ENOMEM: '],
  ['what that caused', new Error('', { cause: refused('ENFILE') }), 'too-few-resources', '(ENFILE: '],
])('%s is the machine’s', (_, error, code, says) => {
  const found = machineError(error);
  expect(found).toMatchObject({ code, exitCode: EXIT.resources, blames: 'machine', cause: error });
  expect(found?.message).toContain(says);
});

it.each([
  ['a file of ours that is not there', refused('ENOENT')],
  ['a length that is none', new RangeError('Invalid typed array length: -1')],
  ['no error', 'EIO'],
  ['what somebody has said already', badNumber({ what: 'x', given: 1, need: '2' }, refused('EACCES'))],
])('%s is not', (_, error) => expect(machineError(error)).toBeUndefined());

it('what Node knows by number alone has a reason, too', () => {
  expect(systemReason(refused('Unknown system error -122'))).toBe('the disk quota is used up');
  expect(systemReason(refused('Unknown system error -1'))).toBe('Unknown system error -1: …');
});
