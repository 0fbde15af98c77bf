import type { RecordedSimulations } from './simulate.ts';

/** The number of cases that the page extrapolates to. */
const LARGE = 1e9;
const [BILLION, DAY, YEAR] = [1e9, 86_400, 365.25 * 86_400];

/** The page of simulated farms, with conclusions for larger ones. */
export function makeFarmReport({ broker, machine, farms }: RecordedSimulations): string {
  const last = farms[farms.length - 1];
  return `# A simulated farm

Made by \`npm run lab -- farm <machines> <cases> <compression>\`, one row per run, on a busy machine (${machine}). \`simulation.json\` has
the numbers. The broker is real (${broker.split(' sha')[0]}, its file written once a second), and so are queue, store, batches and supervisors. One process simulates all
machines. A worker waits for the drawn time of its cases (exponential, 0.4 s on average) and returns results of realistic size. A lease lasts ${last.lease} s.
1 % of batches kill their machine, whose lease expires; 1 % stall it for three leases, so its result is late; 1 % kill its worker; after 1 % the machine
leaves. A new machine replaces it. The broker is killed once, halfway, and returns 20 s later. All seconds are simulated; the compression is the number of
simulated seconds per real second.

${table(farms)}

"Stored" counts cases with one result in the store, none, or several, in a whole batch or in halves. Time beyond the ideal comes mostly from the last batches: one that
killed a machine returns when its lease expires, and is halved after the second time. In the last row the simulating process took
${last.processor.toFixed(0)} s of CPU time in ${(last.seconds / last.compression).toFixed(0)} real seconds. The effect of other load on the machine is unknown.

## Estimated costs of a case

${costs(last)}
`;
}

const HEAD = [
  'on',
  'machines',
  'cases',
  'compression',
  'verdict after (s)',
  'ideal (s)',
  'cases per second',
  'broker: messages per case',
  'bytes per case',
  'memory (MB)',
  'store: bytes per case',
  'died, stalled, workers killed, left',
  'stored once, never, more',
];

function table(farms: RecordedSimulations['farms']): string {
  const rows = farms.map(
    ({ date, machines, cases, compression, seconds, ideal, broker, store, tally, told }) => [
      date,
      ...[machines, cases, compression, seconds.toFixed(0), ideal.toFixed(0), (cases / seconds).toFixed(0)],
      ...[
        (broker.commands / cases).toFixed(2),
        (broker.bytes / cases).toFixed(0),
        (broker.memory / 1e6).toFixed(1),
      ],
      (store.bytes / cases).toFixed(0),
      [tally.dies, tally.stalls, tally.judgeEnds, tally.leaves].join(', '),
      [told.once, told.never, told.more].join(', '),
    ],
  );
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;
  return [line(HEAD), line(HEAD.map(() => '---')), ...rows.map(line)].join('\n');
}

function costs({
  cases,
  broker,
  store,
  batches,
  machines,
  verdict,
}: RecordedSimulations['farms'][number]): string {
  const [commands, memory] = [broker.commands / batches, broker.memory / batches];
  const each = cases / batches;
  const perCase = store.bytes / cases;
  const campaign = store.campaign / cases;
  const { reading, collecting } = verdict;
  const of = (bytes: number) => (bytes / 1e9).toFixed(1);
  return `- A batch has ${each.toFixed(0)} cases and costs ${commands.toFixed(0)} commands of Redis with all that machines ask while they wait; its memory is at most ${(memory / 1000).toFixed(1)} kB a
  batch, connections of ${machines} machines included, two each. One Redis carries some 100,000 commands a second, by its own documents: the rate of
  ${((1e5 / commands) * each).toExponential(0)} cases a second, far more than such machines judge.
- Whoever submits lists the store once a second; workers are told by the queue when all is done, and list it only once a minute when they wait.
- The store has one file a batch. A folder with 10⁶ files is slow to list; S3 takes 3,500 writes a second and prefix, and lists 1,000 names a request.
- The campaign is one file with all texts, ${campaign.toFixed(1)} bytes a case compressed, which every machine reads: here ${(store.campaign / 1e6).toFixed(1)} MB, ${reading.processor.toFixed(1)} s of the processor and
  ${of(reading.memory)} GB of memory.
- The verdict takes ${collecting.processor.toFixed(0)} s of the processor and ${of(collecting.memory)} GB of memory after the last batch.

## What would change for 10⁹ cases

At 0.4 s a case that is ${((LARGE * 0.4) / YEAR).toFixed(1)} years of one machine, ${((BILLION * 0.4) / 1000 / DAY).toFixed(1)} days of a thousand, and ${((LARGE * perCase) / 1e9).toFixed(0)} GB of results.

- The campaign could not be one file: ${((LARGE * campaign) / 1e9).toFixed(1)} GB for every machine. It would be a rule that draws the cases of a batch from its number, or a file a thousand batches.
- ${(LARGE / each).toExponential(0)} batches are too many for one listing: a folder each thousand batches, and an index of what is done, kept by who feeds the queue.
- A queue is fed by need and need not hold all. It forgets batches when all are done, and would have to forget each when it is.
- Collecting holds one result of each case in memory: it would have to count as it reads, and keep failures alone.
- Batches of 40 s would be 10 minutes long: a tenth of the messages, and of the files.
`;
}
