import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that would keep one worker busy for long after all others have nothing left to do. */
const LONG = [
  "server/cut-connections.test.ts",
  "server/kill.deep.test.ts",
  "server/lifecycle.deep.test.ts",
  "database/migrations.test.ts",
  "e2e/accessibility.deep.test.ts",
  "e2e/every-screen.deep.test.ts",
  "e2e/second-factor.deep.test.ts",
  "e2e/dashboard.test.ts",
  "e2e/sign-in.test.ts",
  "e2e/reviews.test.ts",
  "e2e/settings.test.ts",
  "e2e/onboarding.test.ts",
  "e2e/campaign-editor.test.ts",
];

/** Begins each kind of tests with its longest files: elsewhere the order is vitest's own. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Runs files in the order that they were given in: those first that promise most. */
export class AsGiven extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}
