/** Messages that an address may send at once, and how many more each second: a worker sends two a batch, and a room has several. */
const [AT_ONCE, A_SECOND] = [200, 50];
/** Addresses that are remembered; those that were silent longest are forgotten first. */
const MOST = 100_000;

/** Says whether an address may send one more message now. @param now milliseconds */
export function rateLimit(now: () => number = () => performance.now()): (address: string) => boolean {
  const left = new Map<string, { tokens: number; at: number }>();
  return (address) => {
    const time = now();
    const known = left.get(address) ?? { tokens: AT_ONCE, at: time };
    left.delete(address);
    const tokens = Math.min(AT_ONCE, known.tokens + ((time - known.at) / 1000) * A_SECOND);
    left.set(address, { tokens: Math.max(0, tokens - 1), at: time });
    const [oldest] = left.keys();
    if (left.size > MOST && oldest !== undefined) left.delete(oldest);
    return tokens >= 1;
  };
}
