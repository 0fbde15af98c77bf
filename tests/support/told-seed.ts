/** Prints the seed of a nightly run. A global setup of Vitest. */
export default function tellSeed(): void {
  console.log(
    `Seed of what is drawn: ${process.env.TESTS_SEED}. TESTS_SEED=${process.env.TESTS_SEED} draws the same again.\n`,
  );
}
