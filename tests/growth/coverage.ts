import { coverage, scatters } from '../../src/evidence/growth-coverage.testing.ts';

// Prints how often the 95 % confidence intervals of slopes contain the true slope of simulated errors: jiti
// tests/growth/coverage.ts [trials].

const trials = Number(process.argv[2] ?? 10_000);
const designs = [
  [3, 2],
  [4, 3],
  [3, 6],
  [5, 5],
  [4, 10],
] as const;

console.log(`| sizes × replicates | ${Object.keys(scatters).join(' | ')} |`);
console.log(
  `| --- | ${Object.keys(scatters)
    .map(() => '---')
    .join(' | ')} |`,
);
for (const [sizes, replicates] of designs) {
  const shares = Object.keys(scatters).map((scatter) => {
    const held = coverage({ sizes, replicates, scatter, trials, seed: 1 });
    return `${(100 * held).toFixed(1)} %`;
  });
  console.log(`| ${sizes} × ${replicates} | ${shares.join(' | ')} |`);
}
