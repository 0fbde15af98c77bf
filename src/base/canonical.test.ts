import { expect, it } from 'vitest';
import { canonicalText } from './canonical.ts';

// The example of RFC 8785, sections 3.2.2 and 3.2.3.
it('writes what RFC 8785 writes', () => {
  const value = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  );
  expect(canonicalText(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const keys = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
  expect([...canonicalText(keys).matchAll(/:(\d)/g)].map(([, at]) => at).join('')).toBe('2467153');
});

it('is the same for keys in any order, and leaves out what JSON does', () => {
  expect(canonicalText({ b: undefined, a: [{ y: 1, x: 2 }] })).toBe(canonicalText({ a: [{ x: 2, y: 1 }] }));
});
