import picocolors from 'picocolors';
import { expect, it } from 'vitest';
import { syntheticResults } from '../../tests/support/synthetic.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { startDots } from './live.ts';

const [one] = syntheticResults().cases;
const ended: readonly Partial<CaseResult>[] = [
  { verdict: 'pass' },
  { verdict: 'fail' },
  { verdict: 'inconclusive' },
  { verdict: 'fail', waiver: { reason: 'known', expires: '2099-01-01' } },
  { verdict: 'pass' },
];

function shown(stream: { columns?: number }, colored = false, width = 3): string {
  let text = '';
  const colors = picocolors.createColors(colored);
  const write = (more: string) => {
    text += more;
  };
  const dots = startDots({ stream: { ...stream, write }, planned: ended.length, colors, width });
  for (const rest of ended) dots.done({ ...one, ...rest });
  dots.say('Inspecting');
  dots.finish();
  return text;
}

it('is a character a case, in lines as wide as the terminal, else as COLUMNS', () => {
  expect(shown({})).toBe('.F?\nw.\n');
  expect(shown({ columns: 4 })).toBe('.F?w\n.\n');
});

it('ends no line that is empty', () => {
  expect(shown({ columns: 5 })).toBe('.F?w.\n');
});

it('has the colours of the terminal', () => {
  expect(shown({}, true)).toContain('\u001b[31mF\u001b[39m');
});
