import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { EXIT } from '../../base/errors.ts';
import { ownScript } from '../../base/node/invocation.ts';
import { type CaseResult, checkResult, excerpt, verdicts } from '../../evidence/case-result.ts';
import { checks } from '../../evidence/checks/checks.ts';
import { inspection } from '../../inspect/inspection.ts';
import { endingText, OWN_GROUP, watchProcessTree } from '../../kernels/host/node/child.ts';
import { nodeOptions } from '../../kernels/host/node/open-in-host.ts';
import { judgment } from '../../pages/judgment.ts';
import { RESULTS } from '../../pages/node/reporters.ts';
import { readResultsFile } from '../../pages/node/write-html.ts';
import { type FailureGroup, failureGroup } from '../../run/groups/group.ts';
import type { Results } from '../../run/results.ts';
import { notInRun, noVerdict } from '../messages.ts';
import type { JudgedRuns } from './runs.ts';

/** Features that the failures of a group share; the smallest example comes without pictures. */
const { smallerExample } = failureGroup.shape;
const shared = z
  .object(failureGroup.shape)
  .pick({ says: true, rule: true, looksLike: true, example: true })
  .extend({ smallerExample: z.object(smallerExample.def.innerType.shape).omit({ maps: true }).optional() });

/** The explanation of a case: each check with its question, its metric and threshold, and the pattern of its wrong entries. */
const explanation = z.object({
  case: z.string(),
  verdict: z.enum(verdicts),
  /** The message of the check that decided. */
  reason: z.string(),
  /** Cases after which it fails in one process, though it passes alone. */
  after: z.array(z.string()).optional(),
  checks: z.array(z.object(checkResult.shape).extend({ asks: z.string().optional() })),
  /** Entries around the worst one; present for the smallest case of each group of failures. */
  excerpt: z.object(excerpt.shape).optional(),
  /** Features that it shares with other failures. */
  group: shared.optional(),
  replay: z.string(),
});
type Explanation = z.infer<typeof explanation>;

/**
 * Explains a case of a run.
 * @param text the case. @defaultValue the smallest case of the first group of failures, else the first case that does not pass
 * @returns undefined if no case is named and all pass
 * @throws ParanoiaError `not-in-run`
 */
function explain(results: Results, text?: string): Explanation | undefined {
  const { cases, groups = [] } = results;
  const asked = text ?? groups[0]?.example;
  const at =
    asked === undefined
      ? cases.findIndex(({ verdict }) => verdict !== 'pass')
      : cases.findIndex((one) => one.case === asked);
  if (at < 0 && text === undefined) return undefined;
  if (at < 0) throw notInRun({ case: asked as string });
  const group = groups.find((one) => one.cases.includes(at));
  return explanationOf(cases[at], group);
}

function explanationOf(result: CaseResult, group: FailureGroup | undefined): Explanation {
  const { verdict, reason, after, replay } = result;
  return {
    ...{ case: result.case, verdict, reason, after, replay },
    checks: result.checks.map((one) => ({ ...one, asks: askedBy(one.name) })),
    excerpt: result.excerpt,
    group: group && shared.parse(group),
  };
}

const askedBy = (name: string) => checks.get(name)?.what;

const MAIN = fileURLToPath(ownScript('../../cli/main', import.meta.url));

interface CommandOutput {
  readonly code: number;
  readonly output: string;
  /** The likely reason for missing output: the last line on standard error, else the exit code or signal. */
  readonly last: string;
}

/**
 * Runs a command of ours in a process of its own, which protects the caller from the code it judges.
 * @param words arguments of the command line
 * @param stop ends the command and all that it has started
 */
async function runCommandProcess(words: readonly string[], stop: AbortSignal): Promise<CommandOutput> {
  const child = spawn(process.execPath, [...nodeOptions(), MAIN, ...words], {
    ...OWN_GROUP,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const watched = watchProcessTree(child);
  stop.addEventListener('abort', watched.kill, { once: true });
  if (stop.aborted) watched.kill();
  try {
    const [output, ending] = await Promise.all([text(child.stdout), watched.ended]);
    const last = watched.lastWords();
    return { code: ending.code ?? -1, output, last: last === '' ? endingText(ending, '') : last };
  } finally {
    stop.removeEventListener('abort', watched.kill);
  }
}

/** The context of a call of a tool, in addition to its input. */
export interface ToolSession {
  readonly runs: JudgedRuns;
  /** The isolation of its kernels. The server sets it, since no caller may weaken it. */
  readonly sandbox: string;
  /** Aborted when the caller cancels the request. */
  readonly stop: AbortSignal;
}

/** A tool that a client may call. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly title: string;
  readonly what: string;
  readonly input: I;
  readonly output: O;
  run(input: z.infer<I>, session: ToolSession): Promise<z.infer<O>>;
}

/** A command-line argument that cannot be taken for an option. */
const word = z.string().regex(/^[^-]/);

const file = word.describe(
  'Kernel file, with its function: matmul.ts, matmul.py#matmul, matmul.wgsl, matmul.wasm#gemm, lib.so#sgemm_',
);

const ofJudge = z.object({
  file,
  precision: word.optional().describe('Precision of the kernel (default: that of the file, else f32)'),
  budget: word.optional().describe('Time: quick (10 s), usual (60 s), thorough, nightly, or 90s'),
  cases: z.int().min(1).optional().describe('Number of cases, instead of a budget; a pass needs 68'),
  seed: z
    .int()
    .min(0)
    .optional()
    .describe('Seed of an earlier verdict, to repeat its cases (default: a secret seed)'),
});

const judged = judgment.extend({ run: z.string().describe('Id of this verdict, for explain and replay') });

const judge: Tool<typeof ofJudge, typeof judged> = {
  title: 'Judge an untrusted kernel',
  what: 'Compares products of a kernel with exact products, on inputs from a secret seed. Returns pass, fail or inconclusive, with failures, smallest examples and replay commands.',
  input: ofJudge,
  output: judged,
  run: ({ file: asked, precision, ...drawing }, session) =>
    verdictOf([asked, ...wordsOf({ precision })], wordsOf(drawing), session),
};

const ofReplay = z.object({
  run: z.string().describe('Id of a verdict: its run'),
  case: word.describe('Case of that run, as failures print it'),
});

const replay: Tool<typeof ofReplay, typeof judged> = {
  title: 'Run one case again',
  what: 'Runs one case of a verdict again, on the current file.',
  input: ofReplay,
  output: judged,
  run: (given, session) => verdictOf(session.runs.find(given.run).judged, ['--case', given.case], session),
};

const ofExplain = z.object({
  run: z.string().describe('Id of a verdict: its run'),
  case: z
    .string()
    .optional()
    .describe('Case of that run (default: the smallest case of the first failure group)'),
});

const explained = z.object({ explanation: explanation.optional().describe('Absent if no case failed') });

const explains: Tool<typeof ofExplain, typeof explained> = {
  title: 'Explain a failure',
  what: 'Explains one case: the question, result and limit of each check, the pattern of wrong entries, and features shared with other failures.',
  input: ofExplain,
  output: explained,
  run: async ({ run, case: text }, { runs }) => ({
    explanation: explain(await readResultsFile(join(runs.find(run).folder, RESULTS)), text),
  }),
};

const ofInspect = z.object({
  file,
  precision: ofJudge.shape.precision,
  quick: z.boolean().optional().describe('Run about 100 small products'),
});

const inspected = z.object(inspection.shape).omit({ measures: true });

const inspects: Tool<typeof ofInspect, typeof inspected> = {
  title: 'Inspect a kernel from its outputs',
  what: 'Infers algorithm, precision, order of sums, rounding and determinism from outputs. Lists the claims that the outputs disprove.',
  input: ofInspect,
  output: inspected,
  async run({ file: asked, quick, ...options }, session) {
    const words = [
      'inspect',
      asked,
      '--json',
      '--untrusted',
      ...(quick === true ? ['--quick'] : []),
      ...wordsOf(options),
    ];
    return z.object({ inspections: z.tuple([inspected]) }).parse(await printed(words, session))
      .inspections[0];
  },
};

/** Tools that a client may call, by name. */
export const tools: Readonly<Record<string, Tool>> = { judge, explain: explains, replay, inspect: inspects };

/** @param judgedWords arguments that a replay repeats */
async function verdictOf(judgedWords: readonly string[], more: readonly string[], session: ToolSession) {
  const run = session.runs.begin(judgedWords);
  const words = ['judge', ...judgedWords, ...more, '--reporter', 'json', '--out', run.folder];
  const found = judgment.parse(await printed(words, session));
  const { exitCode: code, reason: why } = found;
  if (code === EXIT.usage) throw noVerdict({ command: 'judge', code, why });
  return { ...found, run: run.id };
}

const wordsOf = (options: Readonly<Record<string, string | number | undefined>>): string[] =>
  Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  );

/** Runs a command and parses the JSON that it prints. @throws ParanoiaError `no-verdict` */
async function printed(words: readonly string[], { sandbox, stop }: ToolSession): Promise<unknown> {
  const { code, output, last } = await runCommandProcess([...words, '--sandbox', sandbox], stop);
  try {
    return JSON.parse(output);
  } catch (error) {
    throw noVerdict({ command: words[0], code, why: last }, error);
  }
}
