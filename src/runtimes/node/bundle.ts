import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';
import type { ParanoiaError } from '../../base/errors.ts';
import { ownScript } from '../../base/node/invocation.ts';
import { toOneLine } from '../../base/printable.ts';
import type { FileOrigin } from '../../kernels/files/file-origin.ts';
import { bundlerMissing, notBundled } from '../messages.ts';
import type { Runtime } from './runtime.ts';

export interface UserFiles {
  /** The path of the config, if there is one. */
  readonly config: string | undefined;
  readonly files: readonly FileOrigin[];
}

const scriptOf = (name: string) => fileURLToPath(ownScript(name, import.meta.url));

/** The entry that a runtime runs, and the one that users import: both must share the same modules. */
const [PAGE, INDEX] = [scriptOf('../page'), scriptOf('../../index')];
const US = 'gemm-paranoia';
const ENTRY = '\0entry';

const MODULE = /\.[cm]?[jt]s$/;
const SHADER = /\.wgsl$/;

/** True if a file of kernels can be bundled for another runtime. */
export const isPortable = ({ path }: Pick<FileOrigin, 'path'>): boolean =>
  MODULE.test(path) || SHADER.test(path);

/**
 * Bundles the gate, the config and the kernels of files into one self-contained JavaScript module.
 * @throws ParanoiaError `bundler-missing`, `not-bundled`
 */
export async function bundleUserCode(sources: UserFiles, runtime: Runtime): Promise<string> {
  const { rolldown } = await bundler(runtime);
  const watched = refusing(sources, runtime);
  try {
    const bundle = await rolldown({
      input: ENTRY,
      platform: runtime.hasNode ? 'node' : 'browser',
      plugins: [watched.plugin],
      logLevel: 'silent',
    });
    const { output } = await bundle.generate({ format: 'es', codeSplitting: false });
    return output[0].code;
  } catch (error) {
    throw watched.refusal() ?? asRefusal(error, sources, runtime);
  }
}

async function bundler({ name }: Runtime): Promise<typeof import('rolldown')> {
  try {
    return await import('rolldown');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === 'ERR_MODULE_NOT_FOUND' ? 'which is not installed' : `which fails: ${toOneLine(message)}`;
    throw bundlerMissing({ runtime: name, why }, error);
  }
}

/**
 * A bundler plugin that provides the entry and resolves imports of our package. It refuses modules that the runtime lacks, naming
 * the file that imports them.
 */
function refusing(
  sources: UserFiles,
  runtime: Runtime,
): { plugin: Plugin; refusal(): ParanoiaError | undefined } {
  let refusal: ParanoiaError | undefined;
  const refuse = (importer: string | undefined, why: string): never => {
    refusal ??= notBundled({ file: shown(importer ?? sources.config ?? ''), runtime: runtime.name, why });
    // The bundler changes the error that it catches.
    throw new Error(why);
  };
  return {
    refusal: () => refusal,
    plugin: {
      name: 'gemm-paranoia',
      async resolveId(id, importer, options) {
        if (id === ENTRY) return id;
        if (id === US) return INDEX;
        if (id.startsWith(`${US}/`)) return refuse(importer, `it imports ${id}, which needs Node`);
        if (isBuiltin(id)) {
          if (runtime.hasNode) return { id: id.startsWith('node:') ? id : `node:${id}`, external: true };
          return refuse(importer, `it imports ${id}, a Node module`);
        }
        const found = await this.resolve(id, importer, { ...options, skipSelf: true });
        return found ?? refuse(importer, `it imports ${id}, which was not found`);
      },
      load: (id) => (id === ENTRY ? entryOf(sources) : undefined),
    },
  };
}

/** The address from which the module was loaded. It is assembled from parts, since our own build would replace the whole expression. */
const ADDRESS = ['import', 'meta', 'url'].join('.');

/** The text of the entry module, which passes the user's code to {@link serveTask}. */
function entryOf({ config, files }: UserFiles): string {
  const load = (path: string) => `load: () => import(${JSON.stringify(path)})`;
  const given = files.filter(isPortable).map((origin) => {
    const said = `origin: ${JSON.stringify(origin)}`;
    return SHADER.test(origin.path)
      ? `{ ${said}, source: ${JSON.stringify(readFileSync(origin.path, 'utf8'))} }`
      : `{ ${said}, ${load(origin.path)} }`;
  });
  const own = config === undefined ? '' : `config: { path: ${JSON.stringify(config)}, ${load(config)} }, `;
  return `import { serveTask } from ${JSON.stringify(PAGE)};
await serveTask({ ${own}files: [${given.join(', ')}] }, new URL('.', ${ADDRESS}));
`;
}

/** The bundler's error in a line. */
function asRefusal(error: unknown, { config, files }: UserFiles, { name }: Runtime): ParanoiaError {
  const { message } = error as Error;
  const [line = message] = message.split('\n').filter((one) => /\w/.test(one) && !/^Build failed/.test(one));
  const file = shown(config ?? files[0]?.path ?? US);
  return notBundled({ file, runtime: name, why: toOneLine(line, LONGEST).replace(/\.$/, '') }, error);
}

const LONGEST = 200;

/** Formats a path as the user would write it. */
function shown(path: string): string {
  const below = relative(process.cwd(), path);
  return below === '' || below.startsWith('..') ? path : below;
}
