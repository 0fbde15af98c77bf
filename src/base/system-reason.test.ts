import { expect, it } from 'vitest';
import { systemReason, withoutNumbers } from './system-reason.ts';

it('says in words what Node knows by its number alone', () => {
  const told = 'Unknown system error -116: Unknown system error -116, read';
  expect(withoutNumbers(told)).toBe('its file server no longer knows it, read');
  expect(withoutNumbers('Unknown system error -9999: Unknown system error -9999, open')).toContain('-9999');
  expect(systemReason(Object.assign(new Error(told), { code: 'Unknown system error -116' }))).toBe(
    'its file server no longer knows it',
  );
});
