import type { Recorded, Simulated } from './simulate.ts';

/** Cases that the paper part asks about. */
const LARGE = 1e9;
const [BILLION, DAY, YEAR] = [1e9, 86_400, 365.25 * 86_400];

/** The page of what was simulated, and what follows for larger farms. */
export function report({ broker, farms }: Recorded): string {
  const last = farms[farms.length - 1];
  return `# A simulated farm

Made by \`npx jiti integration/farm-simulation/main.ts <machines> <cases> <compression>\`, a row each; \`simulation.json\` holds the numbers. The broker is real (${broker.split(' sha')[0]}, its file
written once a second), and so are queue, store, batches and supervisors. Machines are simulated, all in one process: a judge waits as long as its
cases are drawn to take (exponentially, 0.4 s on average), and gives results of the size of real ones. A lease holds ${last.lease} s. Of all batches 1 % end their
machine, whose lease runs out; 1 % stall it for three leases, after which it tells its result late; 1 % end its judge; after 1 % the machine leaves.
Another one comes in its place. The broker is killed once, in the middle, and is back 20 s later. All seconds are simulated ones; the compression says how many of these
pass in a real one. Nobody lies here: who does is found by the gateway, whose own tests are \`src/farm/gateway\`.

${table(farms)}

"Told" counts cases of which the store has a result once, never, and more than once. Time beyond the ideal is the last batches: a campaign ends with the last lease that ran out, and
a batch is 40 s. In the last row one process plays all machines, and what it cannot keep up with is time of the simulator, not of a farm
(${last.processor.toFixed(0)} s of processor time in ${(last.seconds / last.compression).toFixed(0)} real seconds): the real time to a verdict is no longer than this.

## On paper: what a case costs, and who bears it

${costs(last)}
`;
}

const HEAD = [
  'machines',
  'cases',
  'compression',
  'verdict after (s)',
  'ideal (s)',
  'cases a second',
  'broker: messages a case',
  'bytes a case',
  'memory (MB)',
  'store: bytes a case',
  'died, stalled, judges ended, left',
  'told once, never, more',
];

function table(farms: readonly Simulated[]): string {
  const rows = farms.map(({ machines, cases, compression, seconds, ideal, broker, store, tally, told }) => [
    ...[machines, cases, compression, seconds.toFixed(0), ideal.toFixed(0), (cases / seconds).toFixed(0)],
    ...[
      (broker.commands / cases).toFixed(2),
      (broker.bytes / cases).toFixed(0),
      (broker.memory / 1e6).toFixed(1),
    ],
    (store.bytes / cases).toFixed(0),
    [tally.dies, tally.stalls, tally.judgeEnds, tally.leaves].join(', '),
    [told.once, told.never, told.more].join(', '),
  ]);
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;
  return [line(HEAD), line(HEAD.map(() => '---')), ...rows.map(line)].join('\n');
}

function costs({ cases, broker, store, batches, machines }: Simulated): string {
  const [commands, memory] = [broker.commands / batches, broker.memory / batches];
  const each = cases / batches;
  const perCase = store.bytes / cases;
  const campaign = store.campaign / cases;
  return `- A batch has ${each.toFixed(0)} cases and costs ${commands.toFixed(0)} commands of Redis with all that machines ask while they wait; its memory is at most ${(memory / 1000).toFixed(1)} kB a
  batch, connections of ${machines} machines included. One Redis carries some 100,000 commands a second, by its own documents: the rate of
  ${((1e5 / commands) * each).toExponential(0)} cases a second, far more than such machines judge.
- The store has one file a batch. A folder with 10⁶ files is slow to list, and everybody who waits lists it; S3 takes 3,500 writes a second and prefix, and lists 1,000 names a request.
- The campaign is one file with all texts, ${campaign.toFixed(1)} bytes a case compressed, which every machine reads: ${((campaign * 1e6) / 1e6).toFixed(1)} MB for 10⁶ cases, and a
  hundred times that unpacked.

## What would change for 10⁹ cases

At 0.4 s a case that is ${((LARGE * 0.4) / YEAR).toFixed(1)} years of one machine, ${((BILLION * 0.4) / 1000 / DAY).toFixed(1)} days of a thousand, and ${((LARGE * perCase) / 1e9).toFixed(0)} GB of results.

- The campaign could not be one file: ${((LARGE * campaign) / 1e9).toFixed(1)} GB for every machine. It would be a rule that draws the cases of a batch from its number, or a file a thousand batches.
- ${(LARGE / each).toExponential(0)} batches are too many for one listing: a folder each thousand batches, and an index of what is done, kept by who feeds the queue, instead of a listing by everybody.
- A queue is fed by need and need not hold all: its memory stays that of the machines. Completed batches are kept in it today, and would have to be forgotten.
- Collecting holds one result of each case in memory: it would have to count as it reads, and keep failures alone.
- Batches of 40 s would be 10 minutes long: a tenth of the messages, and of the files.
`;
}
