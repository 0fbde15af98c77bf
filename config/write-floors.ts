import { writeFileSync } from 'node:fs';
import { floorRules, listRooms } from './floors.ts';

writeFileSync(new URL('floors.json', import.meta.url), floorRules(listRooms()));
