import { importFile } from '../../base/node/import-file.ts';
import { configUnreadable } from '../messages.ts';

/** Imports the default export of a config. @throws ParanoiaError `config-unreadable` */
export async function importConfig(path: string): Promise<unknown> {
  const module = await importFile(path, (why, cause) => configUnreadable({ path, why }, cause));
  if (typeof module === 'object' && module !== null && 'default' in module) return module.default;
  const why = 'it has no default export. End it with "export default defineConfig({ … })"';
  throw configUnreadable({ path, why });
}
