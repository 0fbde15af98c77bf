import { main } from '../src/cli/command-line.ts';
import { commands } from './commands.ts';

await main({ name: 'npm run lab --', commands });
