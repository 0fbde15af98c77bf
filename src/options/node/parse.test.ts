import { describe, expect, it } from 'vitest';
import { ranges } from '../../problem/ranges.ts';
import { type Commands, command } from '../command.ts';
import { axis, choice, choices, flag, number, optionalValue, sizes, text, texts } from '../kinds.ts';
import { parseCall, parseWords } from './parse.ts';
import { duration, repeatedOption } from './read.ts';

const options = {
  out: text('--out <folder>', ''),
  json: optionalValue('--json [file]', ''),
  list: flag('--list', ''),
  yes: flag('-y, --yes', ''),
  noWait: flag('--no-wait', ''),
  allowMixed: flag('--allow-mixed', ''),
  maxSize: number(ranges.size, '--max-size <n>', ''),
  sigmas: number(ranges.sigmas, '--sigmas <x>', ''),
  sizes: sizes('--size <list>', ''),
  levels: axis('levels', ''),
  fringes: axis('fringe', ''),
  reads: texts('--reads <list>', ''),
  on: choice(['cpu', 'gpu'], '--on <where>', ''),
  clocks: choices(['sun', 'sand'], '--clock <list>', ''),
  time: duration('--time <time>', ''),
  case: repeatedOption('--case <case>', ''),
};
const parsed = (...words: string[]) => parseWords(options, words);

it.each(['1.10', '0x10', '1e3', '007', '-0', '.5', 'true', '1_000'])(
  'a folder named %s keeps its name',
  (name) => {
    expect(parsed('--out', name).values).toEqual({ out: name });
    expect(parsed(`--out=${name}`).values).toEqual({ out: name });
  },
);

it('files keep their names, also behind an option without a value, and behind --', () => {
  expect(parsed('1.10', '0x10').args).toEqual(['1.10', '0x10']);
  expect(parsed('--list', '1.10')).toEqual({ values: { list: true }, args: ['1.10'] });
  expect(parsed('--allow-mixed', 'a.json', 'b.json')).toEqual({
    ...{ values: { allowMixed: true }, args: ['a.json', 'b.json'] },
  });
  expect(parsed('--list', '--', '--out', '-3')).toEqual({ values: { list: true }, args: ['--out', '-3'] });
});

it('a value that may be left out is the next word that is no option', () => {
  expect(parsed('--json', '--out', '1').values).toEqual({ json: true, out: '1' });
  expect(parsed('--json', 'a.json').values).toEqual({ json: 'a.json' });
  expect(parsed('--json').values).toEqual({ json: true });
});

it('values are read by the kind of their option', () => {
  expect(
    parsed(
      ...['--size', '64, 129 × 65 × 33', '--size=7', '--levels', '0,1,0', '--fringe', 'pad,peel', '-y'],
      ...['--sigmas', '+4.5', '--on', 'gpu', '--clock', 'sun', '--time', '2m', '--no-wait', '--max-size=5'],
      ...['--case', 'a,b', '--case', 'c'],
    ).values,
  ).toEqual({
    sizes: [64, [129, 65, 33], 7],
    levels: [0, 1],
    fringes: ['pad', 'peel'],
    ...{ sigmas: 4.5, on: 'gpu', clocks: ['sun'], time: 120, noWait: true, maxSize: 5, yes: true },
    case: ['a,b', 'c'],
  });
});

it.each([
  [['--out'], '--out needs a value: --out <folder>.'],
  [['--out', '--list'], '--out needs a value: --out <folder>.'],
  [['--out', ''], '--out needs a non-empty value.'],
  [['--out='], '--out needs a non-empty value.'],
  [['--out', ' '], '--out needs a value.'],
  [['--out', 'a', '--out', 'b'], '--out was given 2 times. Give it once.'],
  [['--list=3'], '--list takes no value, but found "3". Leave the value out.'],
  [['--levels', '0,,1'], '--levels "0,,1" has an empty value. '],
  [['--levels', ','], '--levels needs values separated by commas.'],
  [['--size', '-3'], '--size must be a whole number from 0 to 2147483647, but is "-3".'],
  [['--size', '64,129x-1x33'], '--size must be a whole number from 0 to 2147483647, but is "-1".'],
  [['--size', '1x2'], '--size must be a size such as 64, or three such as 129x65x33, but is "1x2".'],
  [['--size', '1xx3'], '--size must be a size such as 64, or three such as 129x65x33, but is "1xx3".'],
  [['--sigmas', '4,5'], '--sigmas must be a number from 1 to 1000, but is "4,5".'],
  [['--sigmas', '6σ'], '--sigmas must be a number from 1 to 1000, but is "6σ".'],
  [['--fringe', 'pad,pele'], 'Did you mean "peel"?'],
  [['--on', 'cpu,gpu'], 'Unknown value of --on "cpu,gpu".'],
  [['--time', '5x'], '--time must be a time '],
  [['--lst'], 'Unknown option "--lst". Did you mean "--list"?'],
  [['--constructor', 'x'], 'Unknown option "--constructor".'],
  [['--__proto__.a', 'x'], 'Unknown option "--__proto__.a".'],
  [['-x'], 'Unknown option "-x".'],
])('%j is refused', (words, message) => {
  expect(() => parsed(...words)).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(() => parsed(...words)).toThrow(message);
});

describe('a call', () => {
  const run = async () => 0;
  const commands: Commands = {
    report: command({ args: '<results.json>', what: '', options: { list: options.list }, run }),
    'farm work': command({ args: '[...files]', what: '', options: { list: options.list }, run }),
    'farm watch': command({ what: '', options: {}, example: '--once', run }),
    gate: command({
      what: '',
      options: {
        untrusted: flag('--untrusted', ''),
        sandbox: text('--sandbox <how>', '', { untrusted: 'only' }),
        shard: text('--shard <i>', '', { untrusted: 'never' }),
        json: flag('--json', '', { requires: '--list' }),
        list: options.list,
        on: options.on,
        by: text('--by <name>', '', { requires: '--on gpu' }),
        watch: flag('--watch', '', { excludes: ['--list'] }),
      },
      run,
    }),
  };
  const call = (...words: string[]) => parseCall('paranoia', commands, words);

  it('is of the command with the longest name', () => {
    expect(call('farm', 'work', 'a', '--list')).toMatchObject({
      ...{ name: 'farm work', values: { list: true }, args: ['a'] },
    });
    expect(call('gate', '--on', 'gpu', '--by', 'hand', '--verbose')).toMatchObject({
      ...{ name: 'gate', values: { on: 'gpu', by: 'hand', verbose: true } },
    });
  });

  it('may ask for help or the version', () => {
    expect(call('--help')).toEqual({ asks: 'help' });
    expect(call('farm', 'watch', '-h')).toEqual({ asks: 'help', name: 'farm watch' });
    expect(call('--version')).toEqual({ asks: 'version' });
  });

  it.each([
    [[], 'Missing command. Known: report, farm work, farm watch, gate. Try gemm-paranoia --help.'],
    [['farm'], 'Missing command. Known: farm work, farm watch. Try gemm-paranoia --help.'],
    [['farm', 'werk'], 'Unknown command "farm werk". Did you mean "farm work"?'],
    [['gat'], 'Unknown command "gat". Did you mean "gate"?'],
    [['report'], 'Missing argument: results.json. Usage: paranoia report <results.json>'],
    [['report', 'a', 'b'], 'Unexpected argument of report: "b"'],
    [['farm', 'watch', 'b'], 'Example: paranoia farm watch --once'],
    [['gate', '--json'], '--json requires --list'],
    [['gate', '--by', 'x'], '--by requires --on gpu'],
    [['gate', '--by', 'x', '--on', 'cpu'], '--by requires --on gpu'],
    [['gate', '--watch', '--list'], '--watch cannot be combined with --list. Leave one of them out.'],
    [['gate', '--sandbox', 'off'], '--sandbox requires --untrusted'],
    [
      ['gate', '--untrusted', '--shard', '1/2'],
      '--untrusted cannot be combined with --shard. Leave one of them out.',
    ],
  ])('%j is refused', (words, message) => {
    expect(() => call(...words)).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => call(...words)).toThrow(message);
  });
});
