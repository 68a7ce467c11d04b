import { readChoices } from "../scripts/choices.ts";
import { openBenchApp } from "./bench-app.ts";
import { createCleanUp } from "./clean-up.ts";
import { benchDataCalls } from "./data-calls.ts";
import { benchFlood } from "./flood.ts";
import { benchPages } from "./pages.ts";
import { say } from "./report.ts";
import { benchSpins } from "./spins.ts";
import { benchWeight } from "./weight.ts";

/** `npm run bench [spins] [pages] [weight] [flood] [data]`: everything, or the parts that are named. */
const parts = {
  weight: benchWeight,
  pages: benchPages,
  spins: benchSpins,
  flood: benchFlood,
  data: benchDataCalls,
};
const { words: wanted } = readChoices(
  `npm run bench -- [${Object.keys(parts).join("] [")}]`,
  {},
  Object.keys(parts),
);
const cleanUp = createCleanUp();
const app = await openBenchApp();
cleanUp.add(() => app.stop());
try {
  for (const [name, bench] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(name)) await bench(app);
  }
} finally {
  await cleanUp.run();
}
say("");
