import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { findRuntime, softwareFor } from '../../src/runtimes/node/judge-in.ts';
import { firefox } from '../../src/runtimes/node/runtimes.ts';

/** A page in headless Firefox, driven by WebDriver BiDi: https://w3c.github.io/webdriver-bidi/. */
export interface FirefoxPage {
  /** Evaluates an expression in the page, and awaits a promise. @throws Error thrown by the expression */
  evaluate(expression: string): Promise<unknown>;
  /** Clicks the middle of an element with the mouse. */
  click(selector: string): Promise<void>;
  /** Takes a screenshot of the whole page at a width. @returns a PNG */
  screenshot(width: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** An answer of the protocol. */
type Answer = { readonly [key: string]: unknown };

/**
 * Opens a page in Firefox, on the software adapter that `gate --in firefox --adapter software` gives it.
 * @param preferences preferences in addition to those of a gate
 * @throws ParanoiaError `runtime-missing` if there is none
 */
export async function openInFirefox(
  url: string,
  preferences: Readonly<Record<string, boolean | number>> = {},
): Promise<FirefoxPage> {
  const path = findRuntime(firefox);
  const folder = mkdtempSync(join(tmpdir(), 'firefox-'));
  const page = new URL('about:blank');
  const how = { page, module: page, folder, toggles: [], software: softwareFor(firefox, 'software') };
  const { words, env, files = {} } = firefox.start(how);
  for (const [name, text] of Object.entries(files)) {
    const more = Object.entries(preferences).map(([key, value]) => `user_pref("${key}", ${value});\n`);
    writeFileSync(join(folder, name), text + more.join(''));
  }
  const child = spawn(path, [...words, '--remote-debugging-port=0'], {
    env: { ...process.env, ...env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    return await drive(await listening(child), url, end);
  } catch (error) {
    await end();
    throw error;
  }
}

/** The address at which a Firefox can be driven. @throws Error if it ends first */
async function listening({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('Firefox has no standard error.');
  const lines = createInterface({ input: stderr });
  for await (const line of lines) {
    const [, address] = /^WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (address === undefined) continue;
    // Later output is discarded, since the pipe must not fill.
    stderr.resume();
    return address;
  }
  throw new Error('Firefox ended before it could be driven.');
}

async function drive(address: string, url: string, end: () => Promise<void>): Promise<FirefoxPage> {
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const send = sender(socket);
  await send('session.new', { capabilities: {} });
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] };
  const [{ context }] = contexts;
  await send('browsingContext.navigate', { context, url, wait: 'complete' });
  const evaluate = async (expression: string) => {
    const json = `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`;
    const asked = { expression: json, target: { context }, awaitPromise: true, userActivation: true };
    const { result, exceptionDetails } = (await send('script.evaluate', asked)) as {
      result?: { value: string };
      exceptionDetails?: { text: string };
    };
    if (result === undefined) throw new Error(exceptionDetails?.text);
    return JSON.parse(result.value) as unknown;
  };
  return {
    evaluate,
    async click(selector) {
      const expression = `document.querySelector(${JSON.stringify(selector)})`;
      const target = { context };
      const found = (await send('script.evaluate', { expression, target, awaitPromise: false })) as {
        result: { sharedId: string };
      };
      const origin = { type: 'element', element: { sharedId: found.result.sharedId } };
      const actions = [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await evaluate(`${expression}.scrollIntoView({ block: 'center' })`);
      await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] });
    },
    async screenshot(width) {
      await send('browsingContext.setViewport', { context, viewport: { width, height: 900 } });
      const { data } = (await send('browsingContext.captureScreenshot', { context, origin: 'document' })) as {
        data: string;
      };
      return Buffer.from(data, 'base64');
    },
    async close() {
      socket.close();
      await end();
    },
  };
}

/** Returns a function that sends a command and resolves with its answer. */
function sender(socket: WebSocket): (method: string, params: object) => Promise<Answer> {
  const waiting = new Map<number, { done: (answer: Answer) => void; failed: (error: Error) => void }>();
  let last = 0;
  socket.on('message', (data) => {
    const { id, result, error, message } = JSON.parse(String(data)) as {
      id?: number;
      result?: Answer;
      error?: string;
      message?: string;
    };
    const waits = waiting.get(id ?? -1);
    waiting.delete(id ?? -1);
    if (result === undefined) waits?.failed(new Error(`${error}: ${message}`));
    else waits?.done(result);
  });
  socket.on('close', () => {
    for (const { failed } of waiting.values()) failed(new Error('Firefox has ended.'));
  });
  return (method, params) =>
    new Promise((done, failed) => {
      const id = ++last;
      waiting.set(id, { done, failed });
      socket.send(JSON.stringify({ id, method, params }));
    });
}
