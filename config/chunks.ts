import { isBuiltin } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { type CodeSplittingOptions, type InputOptions, rolldown } from 'rolldown';

const START = ['cli/command-line'];
const FILE = ['config/node/file-kernels', 'kernels/files/node/module-kernel'];
const GATE = [...START, ...FILE, 'cli/gate/gate', 'kernels/check-kernel', 'kernels/case-items'];
/** Modules that a gate needs to judge one case. */
const JUDGED = [
  ...['evidence/numbers', 'pages/html/page', 'pages/node/write-report', 'pages/screen', 'pages/terminal'],
  ...['run/conclude', 'run/inspect-external', 'run/outcome'],
];

/**
 * Modules that load together, by the names of their files in `src`: those of commands that people wait for, and those of scripts
 * that run beside untrusted code, which load nothing that they do not import.
 */
const loads: Readonly<Record<string, readonly string[]>> = {
  main: ['cli/main'],
  start: START,
  list: [...START, 'cli/list/list', 'inputs/inputs'],
  check: [...START, 'cli/check/check'],
  cases: [...GATE, 'cli/gate/list-cases'],
  gate: [...GATE, ...JUDGED],
  drawn: [
    ...[...GATE, ...JUDGED, 'evidence/diagnose', 'evidence/shown', 'inspect/code-paths', 'inspect/judge-by'],
    ...['run/chosen-cases', 'run/core', 'run/groups/group-failures', 'run/growth-series'],
  ],
  vitest: ['vitest/index'],
  host: ['kernels/host/node/host', 'config/node/locate-kernel', ...FILE],
};

/** The modules that each module imports; those of packages outside import none. */
type Graph = ReadonlyMap<string, readonly string[]>;

async function graphOf(options: InputOptions): Promise<Graph> {
  const graph = new Map<string, readonly string[]>();
  const bundle = await rolldown({
    ...options,
    plugins: [
      options.plugins,
      {
        name: 'graph',
        buildEnd() {
          for (const id of this.getModuleIds()) graph.set(id, this.getModuleInfo(id)?.importedIds ?? []);
        },
      },
    ],
  });
  await bundle.generate();
  await bundle.close();
  return graph;
}

function closureOf(roots: readonly string[], graph: Graph): ReadonlySet<string> {
  const found = new Set(roots);
  for (const id of found) for (const imported of graph.get(id) ?? []) found.add(imported);
  return found;
}

/** Modules that become one chunk. */
interface Chunk {
  readonly name: string;
  readonly modules: Set<string>;
  /** Larger for chunks that others import, which take their modules first. */
  readonly priority: number;
}

/**
 * Joins modules that the same loads need, and that need the same packages. Such chunks import each other without cycles, since
 * whoever loads a module loads its imports. Nothing loads a package that it does not import. Modules of no load are left to the
 * bundler, and so are scripts, which stay where they lie.
 */
export async function joinLoads(options: InputOptions, source: string): Promise<CodeSplittingOptions> {
  const graph = await graphOf(options);
  const closures = Object.entries(loads).map(([name, files]) => {
    const roots = files.map((file) => join(source, `${file}.ts`));
    const missing = roots.find((root) => !graph.has(root));
    if (missing !== undefined)
      throw new Error(`The load "${name}" names ${missing}, which no script imports.`);
    return { name, modules: closureOf(roots, graph) };
  });
  const chunks = new Map<string, Chunk>();
  for (const id of new Set([...graph.values()].flat())) {
    const names = closures.filter(({ modules }) => modules.has(id)).map(({ name }) => name);
    if (names.length === 0 || !isAbsolute(id)) continue;
    const packages = [...closureOf([id], graph)].filter((one) => !isAbsolute(one) && !isBuiltin(one));
    const key = [...names, ...packages.sort()].join();
    const priority = MOST_PACKAGES * names.length - packages.length;
    const chunk = chunks.get(key) ?? { name: names.join('-'), modules: new Set(), priority };
    chunks.set(key, chunk);
    chunk.modules.add(id);
  }
  return {
    groups: [...chunks.values()].map(({ modules, ...rest }) => ({ ...rest, test: (id) => modules.has(id) })),
  };
}

/** More packages than a module needs. */
const MOST_PACKAGES = 1000;
