import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { EXIT } from '../../base/errors.ts';
import { fileReason, pathExists } from '../../base/node/read-file.ts';
import { writeWhole } from '../../base/node/write-file.ts';
import { CONFIG_NAMES } from '../../config/node/find-config.ts';
import { widthOf } from '../../pages/node/colors.ts';
import { wrapText } from '../../report/terminal/text.ts';
import { initInTheWay, initNeedsTerminal, initUnanswered, initUnwritable } from '../messages.ts';
import type { InitRequest } from '../options.ts';
import { type Ci, cis, type Language, type LanguageName, languageNames, languages } from './languages.ts';

/** A file to write, by its path from the working folder. */
interface Draft {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes a kernel that passes, a config that names it and a CI workflow into this folder, in which nothing is overwritten.
 * @throws ParanoiaError `init-in-the-way`, `init-needs-terminal`, `init-unanswered`, `init-unwritable`
 */
export async function runInit(request: InitRequest, terminal: Terminal = process): Promise<number> {
  const { language, ci } = await chosenIn(request, terminal);
  const record: Language = languages[language];
  const drafts = draftsOf(language, record, ci);
  const inTheWay = [...CONFIG_NAMES, ...drafts.map(({ path }) => path)].find(pathExists);
  if (inTheWay !== undefined) throw initInTheWay({ path: inTheWay });
  writeAll(drafts);
  terminal.stdout.write(`${nextSteps(record, drafts, widthOf(terminal.stdout)).join('\n')}\n`);
  return EXIT.pass;
}

interface Chosen {
  readonly language: LanguageName;
  readonly ci: Ci;
}

/** The choices of a request. Missing ones are asked for, or with `--yes` take the defaults for this folder. */
async function chosenIn({ language, ci, yes }: InitRequest, terminal: Terminal): Promise<Chosen> {
  const usual: Chosen = { language: usualLanguage(), ci: 'github' };
  const said = { ...(language && { language }), ...(ci && { ci }) };
  const open = questions(usual).filter(({ key }) => !(key in said));
  if (yes === true || open.length === 0) return { ...usual, ...said };
  if (terminal.stdin.isTTY !== true || terminal.stdout.isTTY !== true) throw initNeedsTerminal();
  const answers = await askAll(terminal, open);
  return { ...usual, ...said, ...Object.fromEntries(open.map(({ key }, at) => [key, answers[at]])) };
}

/** The language of this folder's files, else JavaScript. */
const usualLanguage = (): LanguageName =>
  languageNames.find((name) => languages[name].signs.some((sign) => existsSync(sign))) ?? 'javascript';

function questions(usual: Chosen): (PromptChoice<string> & { readonly key: keyof Chosen })[] {
  const titles = Object.fromEntries(languageNames.map((name) => [name, languages[name].title]));
  return [
    { key: 'language', question: 'Language of your kernel:', answers: titles, usual: usual.language },
    { key: 'ci', question: 'CI workflow that judges it:', answers: cis, usual: usual.ci },
  ];
}

const WORKFLOW = '.github/workflows/paranoia.yml';

function draftsOf(language: LanguageName, { file, kernel, config, setUp = [] }: Language, ci: Ci): Draft[] {
  const steps = setUp.map((line) => `      ${line}\n`).join('');
  const workflow = {
    path: WORKFLOW,
    text: template('github.yml')
      .replace('paranoia.config.mjs', config)
      .replace('{set-up}\n', () => steps),
  };
  return [
    { path: file, text: template(`${language}/${file}`) },
    { path: config, text: template(config).replace('{kernel}', () => kernel) },
    ...(ci === 'github' ? [workflow] : []),
  ];
}

const template = (file: string) =>
  readFileSync(new URL(`../../../share/templates/${file}`, import.meta.url), 'utf8');

/** Writes all files, or none. @throws ParanoiaError `init-unwritable` */
function writeAll(drafts: readonly Draft[]): void {
  const written: string[] = [];
  try {
    for (const draft of drafts) {
      write(draft);
      written.push(draft.path);
    }
  } catch (error) {
    for (const path of written) rmSync(path, { force: true });
    throw error;
  }
}

function write({ path, text }: Draft): void {
  const unwritable = (why: string, cause: unknown) => initUnwritable({ path, why }, cause);
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw unwritable(fileReason(error), error);
  }
  writeWhole(path, text, (_, why, cause) => unwritable(why, cause));
}

type Step = [command: string, what: string];
const INSTALL: Step = ['npm install --save-dev gemm-paranoia', 'install once'];

/** The next commands, with what each does. */
function nextSteps(
  { file, kernel, build, software }: Language,
  drafts: readonly Draft[],
  width: number,
): string[] {
  const isInstalled = (name: string) => existsSync(`node_modules/${name}`);
  const steps: Step[] = [
    ...(isInstalled('gemm-paranoia') ? [] : [INSTALL]),
    ...(software === undefined || isInstalled(software)
      ? []
      : [[`npm install --save-dev ${software}`, 'install on Linux x64 without a GPU'] as Step]),
    ...(build === undefined ? [] : [[build, 'build the library'] as Step]),
    [`npx gemm-paranoia gate ${kernel} --size 1,17,64`, 'get a first verdict in seconds'],
    ['npx gemm-paranoia gate', 'run the whole gate in about a minute'],
    [`npx gemm-paranoia inspect ${kernel}`, 'infer a claim from its outputs, to paste into the config'],
  ];
  return [
    ...wrapText(`Wrote ${drafts.map(({ path }) => path).join(', ')}.`, width),
    '',
    `Put your kernel into ${file}, then run:`,
    ...steps.flatMap(([command, what]) => [
      '',
      `  ${command}`,
      ...wrapText(what, width - 4).map((line) => `    ${line}`),
    ]),
  ];
}

/** The terminal on which questions are asked. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}

/** A question with a few answers, by their names. */
export interface PromptChoice<T extends string> {
  readonly question: string;
  /** Descriptions of the answers, by name. */
  readonly answers: Readonly<Record<T, string>>;
  /** The answer that an empty line stands for. */
  readonly usual: T;
}

/**
 * Asks questions in turn, each until it is answered by a number or a name.
 * @throws ParanoiaError `init-unanswered` where the input ends, or Ctrl-C is pressed
 */
export async function askAll(
  { stdin: input, stdout: output }: Terminal,
  choices: readonly PromptChoice<string>[],
): Promise<string[]> {
  const lines = createInterface({ input, output, terminal: output.isTTY === true });
  const gone = new AbortController();
  lines.once('close', () => gone.abort());
  lines.once('SIGINT', () => lines.close());
  try {
    const given: string[] = [];
    for (const choice of choices) {
      output.write(`${listed(choice)}\n`);
      let answer: string | undefined;
      while (answer === undefined) {
        const line = await lines.question(`Number or name (default: ${choice.usual}): `, {
          signal: gone.signal,
        });
        answer = answerIn(line.trim().toLowerCase(), choice);
      }
      given.push(answer);
    }
    return given;
  } catch (error) {
    if (gone.signal.aborted) throw initUnanswered(undefined, error);
    throw error;
  } finally {
    lines.close();
  }
}

function listed({ question, answers }: PromptChoice<string>): string {
  const names = Object.entries(answers).map(([name, what], at) => `  ${at + 1}  ${name.padEnd(10)}  ${what}`);
  return ['', question, ...names].join('\n');
}

function answerIn(line: string, { answers, usual }: PromptChoice<string>): string | undefined {
  const names = Object.keys(answers);
  if (line === '') return usual;
  return names.find((name) => name === line) ?? names[Number(line) - 1];
}
