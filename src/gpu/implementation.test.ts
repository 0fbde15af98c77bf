import { expect, test } from 'vitest';
import { implementationOf } from './implementation.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'firefox 153 (wgpu)'],
  [`${CHROME} HeadlessChrome/147.0.7727.0 Safari/537.36`, 'chromium 147 (Dawn)'],
  [`${CHROME} Chrome/147.0.0.0 Safari/537.36 Edg/147.0.0.0`, 'edge 147 (Dawn)'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'safari 26 (WebKit)',
  ],
  ['Deno/2.9.6', 'deno 2.9.6 (wgpu)'],
  ['Node.js/22', undefined],
  [undefined, undefined],
])('%s has %s', (userAgent, implementation) => {
  expect(implementationOf(userAgent)).toBe(implementation);
});
