/** Files that tell who runs a process, and how: no product follows from them. Of its own memory, and of the machine, it may ask. */
const TELLING = [
  /^\/proc\/?$/,
  /^\/proc\/(self|thread-self|\d+)(?!\/(maps|statm|smaps|smaps_rollup|io|numa_maps|auxv)$)/,
  /^\/proc\/(net|mounts|keys|sys\/kernel\/(hostname|domainname|random\/boot_id|seccomp))/,
  /^\/(\.dockerenv|run\/(\.containerenv|systemd\/container))/,
  /^\/etc\/(hostname|hosts|machine-id|resolv\.conf)$/,
  /^\/sys\/(class\/(dmi|net)|hypervisor|kernel\/security)/,
];

export const isTelling = (path: string): boolean => TELLING.some((one) => one.test(path));

const COMMANDS =
  /\/proc\/(self|\d|\$)|(^|[\s"'/;|&])(ps|pgrep|pstree|hostname|systemd-detect-virt|printenv|lsof|strace)(["'\s;|&]|$)/;

/** Whether words of a command ask for the same. */
export const isTellingCommand = (words: string): boolean => COMMANDS.test(words);
