import { packFunctions } from "./hosted/pack-functions.ts";

/** `npm run functions`: the server functions packed for a Supabase project, into `dist/hosted`. */

const sizes = [...(await packFunctions()).values()];
const largest = (Math.max(...sizes) / 1e6).toFixed(1);
process.stdout.write(`dist/hosted: ${sizes.length} functions, at most ${largest} MB\n`);
