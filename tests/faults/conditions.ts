/** A condition around a command that the operating system itself causes. */
export interface Condition {
  readonly name: string;
  readonly what: string;
  /**
   * A bash script, run in the folder of the run. In it `run` is the command, and `start` becomes the command. It leaves the exit
   * code in `code`; `out` is the output folder.
   */
  readonly script: string;
  /** Allowed exit codes. */
  readonly codes: readonly number[];
  /** A pattern that its output matches, on either stream. */
  readonly says?: RegExp;
  /** True if results must exist, in `out` or where the output says. */
  readonly keeps?: boolean;
  /** True if file systems are mounted for it. */
  readonly mounts?: boolean;
}

/** Waits until the command has judged its first case, as its standard error shows. */
const JUDGED = 'for _ in $(seq 400); do grep -q "^\\." errors && break; sleep 0.02; done';
const inBackground = (meanwhile: string) =>
  `start 2> errors & pid=$!; ${JUDGED}; ${meanwhile}; wait $pid; code=$?; cat errors >&2`;

export const conditions: readonly Condition[] = [
  {
    name: 'tmpfs-full',
    what: 'a file system of 8 KiB for the results',
    script:
      'mkdir out; mount -t tmpfs -o size=8k none out; run; code=$?; ls out > left; umount out; test ! -s left',
    codes: [74],
    says: /the disk is full/,
    keeps: true,
    mounts: true,
  },
  {
    name: 'tmpfs-64k',
    what: 'a file system of 64 KiB for results that fit and a page that does not',
    script:
      'mkdir out; mount -t tmpfs -o size=64k none out; run --reporter json,html,dots; code=$?; ls out | grep -q tmp && code=99; umount out',
    codes: [0, 74],
    mounts: true,
  },
  {
    name: 'temporary-full',
    what: 'no room in the folder of the results, nor in the temporary directory',
    script:
      'mkdir out; mount -t tmpfs -o size=4k none out; mount -t tmpfs -o size=4k none "$TMPDIR"; run; code=$?; umount out "$TMPDIR"',
    codes: [74, 71],
    says: /Only the text above remains/,
    mounts: true,
  },
  {
    name: 'read-only',
    what: 'a folder for the results on a file system that is read-only',
    script: 'mkdir out; mount -t tmpfs -o ro none out; run; code=$?; umount out',
    codes: [2],
    says: /the disk is read-only/,
    mounts: true,
  },
  {
    name: 'read-only-later',
    what: 'a file system that becomes read-only while cases are judged',
    script: `mkdir out; mount -t tmpfs none out; ${inBackground('mount -o remount,ro out')}; umount out`,
    codes: [74, 0],
    mounts: true,
  },
  {
    name: 'file-size',
    what: 'ulimit -f of one block: no file of more than a KiB',
    script: 'ulimit -f 1; run; code=$?',
    codes: [74, 71, 2],
  },
  {
    name: 'open-files-24',
    what: 'ulimit -n 24',
    script: 'ulimit -n 24; run; code=$?',
    codes: [0, 71],
  },
  {
    name: 'open-files-20',
    what: 'ulimit -n 20',
    script: 'ulimit -n 20; run; code=$?',
    codes: [0, 71],
  },
  {
    name: 'head',
    what: 'a reader that has seen enough',
    script: 'set -o pipefail; run | head -1; code=$?',
    codes: [0],
    keeps: true,
  },
  {
    name: 'stdout-closed',
    what: 'no standard output',
    script: 'run >&-; code=$?',
    codes: [0, 74],
    keeps: true,
  },
  {
    name: 'stdout-full',
    what: '/dev/full for standard output',
    script: 'run > /dev/full; code=$?',
    codes: [74],
    says: /the disk is full/,
    keeps: true,
  },
  { name: 'stderr-closed', what: 'no standard error', script: 'run 2>&-; code=$?', codes: [0], keeps: true },
  { name: 'stdin-closed', what: 'no standard input', script: 'run <&-; code=$?', codes: [0], keeps: true },
  {
    name: 'all-closed',
    what: 'no standard streams at all',
    script: 'run <&- >&- 2>&-; code=$?',
    codes: [0, 74],
    keeps: true,
  },
  {
    name: 'folder-removed',
    what: 'the folder of the results is removed while cases are judged',
    script: inBackground('rm -rf out'),
    codes: [0],
    keeps: true,
  },
  {
    name: 'file-in-the-way',
    what: 'a file takes the place of the folder of the results meanwhile',
    script: inBackground('rm -rf out; touch out'),
    codes: [74],
    keeps: true,
  },
  {
    name: 'work-removed',
    what: 'the folder that it runs in is removed meanwhile',
    script: `mkdir w; cp k.mjs w; cd w; start 2> ../errors & pid=$!; cd ..; ${JUDGED}; rm -rf w; wait $pid; code=$?; cat errors >&2`,
    codes: [74, 4, 0],
    says: /All results are in|Wrote/,
  },
  {
    name: 'work-gone',
    what: 'the folder that it is started in is gone',
    script: 'mkdir w; cd w; rmdir ../w; run; code=$?; cd ..',
    codes: [2, 71],
    says: /./,
  },
  {
    name: 'hangup',
    what: 'SIGHUP while cases are judged',
    script: inBackground('kill -HUP $pid'),
    codes: [0, 4],
    keeps: true,
  },
  {
    name: 'terminate',
    what: 'SIGTERM while cases are judged',
    script: inBackground('kill -TERM $pid'),
    codes: [0, 4],
    keeps: true,
  },
  {
    name: 'killed',
    what: 'SIGKILL while cases are judged, and the same command again',
    script: `${inBackground('kill -KILL $pid')}; ls -R . | grep '\\.tmp$' && exit 99; run; code=$?`,
    codes: [0],
    keeps: true,
  },
  {
    name: 'host-killed',
    what: 'the process of the kernel is ended while cases are judged',
    script: inBackground('for one in $(pgrep -P $pid); do kill -KILL $one; done'),
    codes: [0, 1, 4],
    keeps: true,
  },
];
