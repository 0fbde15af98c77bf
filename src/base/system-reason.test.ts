import { expect, it } from 'vitest';
import { systemReason, withoutNumbers } from './system-reason.ts';

it('says in words what Node knows by its number alone', () => {
  const told = 'Unknown system error -116: Unknown system error -116, read';
  expect(withoutNumbers(told)).toBe('the server of its disk knows it no more, read');
  expect(withoutNumbers('Unknown system error -9999: Unknown system error -9999, open')).toContain('-9999');
  expect(systemReason(Object.assign(new Error(told), { code: 'Unknown system error -116' }))).toBe(
    'the server of its disk knows it no more',
  );
});
