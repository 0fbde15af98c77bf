import { askGroup } from './ask.ts';
import type { KillsTask } from './jobs.ts';

process.on('message', ({ group, part, parts }: KillsTask) => {
  askGroup(group, part, parts).then(
    (answers) => process.send?.(answers),
    (error: unknown) => {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    },
  );
});
process.send?.('ready');
