// Loaded before a command and the processes that it starts (NODE_OPTIONS): makes one step of one of them fail.
import { hookFiles } from './hooks/files.mjs';
import { hookMemory } from './hooks/memory.mjs';
import { hookProcesses } from './hooks/processes.mjs';
import { hookStreams } from './hooks/streams.mjs';
import { hookThreads } from './hooks/threads.mjs';
import { hookTimers } from './hooks/timers.mjs';
import { isAsked } from './hooks/trigger.mjs';

if (isAsked('files') || isAsked('own')) hookFiles();
if (isAsked('spawn') || isAsked('ipc')) hookProcesses();
if (isAsked('pipe') || isAsked('output')) hookStreams();
if (isAsked('thread')) hookThreads();
if (isAsked('timer')) hookTimers();
if (isAsked('gpu')) (await import('./hooks/gpu.mjs')).hookGpu();
// Last, so that allocations of the other hooks are not counted.
if (isAsked('memory')) hookMemory();
