import { afterAll, expect, it } from 'vitest';
import { openNodeDevice } from '../gpu/node/open.ts';
import { examples } from './examples.ts';
import { complaintsOf, pastedKernel, whyRefused } from './pasted.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

const [{ source: right }] = examples;
const refusal = (source: string) => whyRefused(open, source, pastedKernel(source));

it.each(examples)('has nothing against $title', async ({ source }) => {
  expect(await complaintsOf(open, source)).toEqual([]);
  expect(await refusal(source)).toBeUndefined();
});

it('tells the line of what does not compile', async () => {
  const [complaint] = await complaintsOf(open, right.replace('var sum = 0.0;', 'var sum = 0.0 +;'));
  expect(complaint).toMatchObject({
    line: 20,
    column: 18,
    message: 'unable to parse right side of + expression',
  });
});

it.each([
  ['invocations', right.replace('8, 8)', '64, 64)'), /invocations \(4096\) exceeds .*\d\)\.$/],
  [
    'memory',
    right
      .replace('@compute', 'var<workgroup> large: array<f32, 60000>;\n@compute')
      .replace('var sum = 0.0;', 'large[id.x] = 0.0;\n  var sum = large[0];'),
    /workgroup.*240000.*/,
  ],
])('tells in a line that there is not so much %s', async (_, source, why) => {
  expect(await complaintsOf(open, source)).toEqual([]);
  expect(await refusal(source)).toMatch(why);
  expect(await refusal(source)).not.toMatch(/\n|While/);
});

it('leaves to the gate what differs from size to size', async () => {
  const uniform = /struct Sizes \{[^}]*\}\n|@group\(0\) @binding\(3\).*\n/g;
  const sized = right
    .replace(uniform, '')
    .replaceAll('sizes.', '')
    .replace('@compute', 'override m: u32;\noverride k: u32;\noverride n: u32;\n@compute')
    .replace('8, 8)', '64, 64)');
  expect(await refusal(sized)).toBeUndefined();
});
