import fc from "fast-check";
import { SEED } from "./depth.ts";

/** Every generated input comes from the suite's seed (`vitest.config.ts` runs this before each file). */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
