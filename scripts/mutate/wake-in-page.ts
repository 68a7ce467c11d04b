declare global {
  /** State that instrumented code reads, and counts in (StrykerJS). */
  var __stryker__:
    | {
        activeMutant?: string;
        hitCount?: number;
        hitLimit?: number;
        mutantCoverage?: { static: Record<string, number> };
      }
    | undefined;
  /** Function of a page that says which mutants it runs past for the first time; none while one is awake. */
  var mutantsMet: ((numbers: readonly string[]) => Promise<void>) | undefined;
}

/**
 * Wakes a mutant in a page; none for an empty number. Runs there before the page's own scripts, and reads nothing around it.
 * Code that runs is reported at once: the page may be left at any moment.
 */
export function wakeInPage({ mutant, hitLimit }: { mutant: string; hitLimit: number }): void {
  let untold: string[] = [];
  const tell = () => {
    globalThis.mutantsMet?.(untold).catch(() => {});
    untold = [];
  };
  const counts = new Proxy<Record<string, number>>(
    {},
    {
      set(met, number, times) {
        if (typeof number === "string" && !(number in met) && untold.push(number) === 1) {
          queueMicrotask(tell);
        }
        return Reflect.set(met, number, times);
      },
    },
  );
  globalThis.__stryker__ = {
    ...(mutant !== "" && { activeMutant: mutant }),
    ...{ hitCount: 0, hitLimit },
    mutantCoverage: { static: mutant === "" ? counts : {} },
  };
}
