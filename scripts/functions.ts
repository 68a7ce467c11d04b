import { packFunctions } from "./hosted/pack-functions.ts";

/** `npm run functions`: the server functions packed for a Supabase project, into `dist/hosted`. */

const { names, largest } = await packFunctions();
const megabytes = (largest / 1e6).toFixed(1);
process.stdout.write(`dist/hosted: ${names.length} functions, at most ${megabytes} MB\n`);
