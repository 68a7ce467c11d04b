import { packFunctions } from "./hosted/pack-functions.ts";

/** `npm run functions`: the server functions as a Supabase project takes them, `supabase/.functions`. */

const sizes = [...(await packFunctions()).values()];
const largest = (Math.max(...sizes) / 1e6).toFixed(1);
process.stdout.write(`supabase/.functions: ${sizes.length} functions, at most ${largest} MB\n`);
