/** Steps that undo what a benchmark made, the last first; they are taken at its end, and when it is interrupted. */
export function createCleanUp() {
  const steps: (() => Promise<unknown>)[] = [];
  async function run(): Promise<void> {
    for (const step of steps.splice(0).reverse()) await step();
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => run().finally(() => process.exit(1)));
  }
  return { add: (...more: (() => Promise<unknown>)[]) => void steps.push(...more), run };
}
